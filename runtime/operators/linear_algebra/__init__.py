"""Operators on vectors and matrices: products, factors, solvers, norms."""
