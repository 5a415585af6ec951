"""What in a file deserves distrust: findings with stable codes, measured by a policy. Nothing is loaded.

Knows `runtime.serialization` and `runtime.inspection`.
"""
