"""Resolvers: the outside of a definition, found in the source text around it, in other files, in archives.

The highest room of emission. May import all of the others.
"""
