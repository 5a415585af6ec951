"""Facts about graphs that passes ask for. May import ``printing`` and below."""
