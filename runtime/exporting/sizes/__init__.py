"""Sizes that change from run to run, while a program is captured: symbols beside the sizes of this run."""
