"""What holds for a whole run, process or thread: errors, limits, modes, and where source texts come from."""
