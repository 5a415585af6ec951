"""Archives: reading, writing, and what must be refused."""
