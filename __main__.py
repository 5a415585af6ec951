"""``python -m tsc``: the command line."""

from tsc.cli import main

main(prog_name="tsc")
