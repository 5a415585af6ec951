"""Inspection and audit of files: what is told of good, odd and hostile ones."""
