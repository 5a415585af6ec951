"""TorchScript archives as modules: loading and saving. May import everything in ``runtime`` and ``compiler``;
what is in the files is `runtime.serialization`'s to read and write.
"""
