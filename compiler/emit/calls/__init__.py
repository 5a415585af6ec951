"""Calls, once it is known what is called: arguments, schemas, conversions, and what is said when none fits.

May import ``names``, ``construction`` and the protocols.
"""
