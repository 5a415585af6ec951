"""Computing on elements: instructions for what pointwise operators say in terms, and functions of their own."""
