"""``run_decompositions``: the same program in fewer operators, none of which writes.

A program is run once more on its example arguments, node by node (`replay`). Each call goes to a rule (`rules`), which
calls simpler operators, or is recorded (`calls`); writes and views become values of their own (`functional_tensors`).
"""
