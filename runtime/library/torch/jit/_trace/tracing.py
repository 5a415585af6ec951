# What a program can ask of tracing: scripts are never traced.
def is_tracing() -> bool:
    return False
