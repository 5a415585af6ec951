"""The Edge dialect: a program of core ATen whose dtypes, numbers and memory are told by its operators."""
