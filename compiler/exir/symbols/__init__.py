"""Sizes as symbols while a program is captured: integers, numbers and conditions over sympy, and what holds of them.

Needs the extra ``export``. Programs that are only read hold `SymbolicExpression`, which needs nothing.
"""
