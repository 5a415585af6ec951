"""Modules that exist become script modules: their types are inferred from what they hold, and their
methods are compiled. May import everything in ``runtime`` and ``compiler``.
"""
