"""Threaded code over registers: the plan by which functions run."""
