"""Backends: other runtimes that compute parts of exported programs, and the rest runs here.

One file for each backend says what it takes and how it computes; `handing_over.py` cuts programs for all of them.
"""
