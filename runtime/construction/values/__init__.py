"""The values of an evaluated program that Python's own types do not give.

Each answers for itself what the evaluator asks (`value.py`); nothing here looks at the class of
another value to decide what to do with it. Numbers, strings and containers are Python's, tensors and
dtypes the runtime's: `tsc.runtime.construction.host` answers for these.

May import the compiler and the lower rooms of the runtime; the rest of construction imports it.
"""
