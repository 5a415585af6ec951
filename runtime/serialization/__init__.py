"""Files of PyTorch: zip containers, pickles, tensors in them, and what a file is. All of it bounded.

Reading makes plain data (`records`): no class is looked up and nothing in a file is called. The room knows
tensors and dtypes, and source ranges of the compiler; modules and classes are built elsewhere from its data.
"""
