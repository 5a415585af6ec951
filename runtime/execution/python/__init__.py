"""Python functions generated from graphs: a plan by which functions run. It knows kernels, and no graph executor."""
