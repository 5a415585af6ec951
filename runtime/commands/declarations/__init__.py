"""The commands with their options and their help: what click is told, and nothing of what they do."""
