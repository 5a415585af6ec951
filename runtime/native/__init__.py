"""Native code: what of a program runs as machine code, made by LLVM. The only room that may import llvmlite.

llvmlite comes with the extra ``native``. Where it is absent, programs run as they do without this room.
"""
