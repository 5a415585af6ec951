"""Operators that look at the same elements otherwise: shapes, copies, conversions, properties."""
