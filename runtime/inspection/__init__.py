"""What is in a file, without running or compiling any of it: reports as text, JSON and HTML.

Knows `runtime.serialization` and the compiler's parser; nothing else of the runtime but the operator table.
"""
