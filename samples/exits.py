"""Early exits: a branch that raises, a branch that returns, and code that is never reached."""
import math


def root(i: int) -> float:
    if i < 0:
        raise Exception("Negative input")
    else:
        return math.sqrt(i)
    print(i)  # unreachable


def main():
    return root(2), root(9)
