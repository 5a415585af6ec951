"""Programs as Python meets them: functions, modules, tensors' operators, and values going in and out."""
