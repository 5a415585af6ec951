# What a program can ask of torch.compile: scripts are never compiled by it.
def is_compiling() -> bool:
    return False


def is_dynamo_compiling() -> bool:
    return False
