"""Coefficients of the approximations; numbers alone."""
