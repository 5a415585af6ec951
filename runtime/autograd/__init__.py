"""Gradients of what runs: operators leave nodes behind, through which gradients go back.

`recording` wraps the kernels of operators, `nodes` are what they leave, `views` what becomes of tensors that share
memory, `engine` goes back. Formulas are TorchScript, in `formulas`; who runs them hangs on a hook.
May import `operators` and what is below.
"""
