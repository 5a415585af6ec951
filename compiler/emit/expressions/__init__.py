"""What is emitted for each expression, and for calls that are forms of their own.

May import ``statements`` and what that may.
"""
