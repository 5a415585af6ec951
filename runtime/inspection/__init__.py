"""What is in a file, without running any of it: reports as text, JSON and HTML.

Knows `runtime.serialization`, the compiler's parser and the operator table. Only `graphs`, for the page of HTML,
compiles anything.
"""
