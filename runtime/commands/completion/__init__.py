"""What a shell offers when a command line is completed: a module for each kind of word.

Each has `offered`: the words for what stands there so far. A shell waits for them and shows them in the middle of a
line, so a module is imported when its kind is asked for; nothing of a file is executed, and a file that cannot be
read has nothing to offer. May import what the commands may.
"""
