"""Bytecode: instructions of a stack machine, how they are made from a graph, and the machine that runs them."""
