"""The compiler: TorchScript source text in, a Graph in SSA form out.

The rooms, lowest first: source, types, schema, ir, printing, frontend and analysis, emit and ssa and
passes; ``compile`` drives them. Nothing here imports the runtime or NumPy: operators and the constant
evaluator are handed in.
"""
