"""Branches that data decides, while a program is captured."""
