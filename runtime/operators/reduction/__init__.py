"""Operators that reduce dimensions, and those that run along them."""
