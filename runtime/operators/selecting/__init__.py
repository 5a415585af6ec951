"""Operators that choose, order, search and write elements."""
