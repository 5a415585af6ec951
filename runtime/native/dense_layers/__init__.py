"""Dense layers of few rows: products with weights that are read where they lie, and begin with the bias."""
