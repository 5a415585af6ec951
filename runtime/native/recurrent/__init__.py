"""Recurrent layers: all steps of a sequence by one call of native code."""
