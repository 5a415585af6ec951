"""Large arrays, gone through in ways that NumPy has no vectorised loop for."""
