"""A module of the user's, which live functions of the tests use by its name."""

LIMIT = 7
RATES = (0.5, 2.0)


def doubled(x: int) -> int:
    return x * 2
