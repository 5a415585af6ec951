"""``python -m tests.exporting.beside_pytorch [NAME …]``: modules exported here and by ``torch.export``, compared."""

from __future__ import annotations

import sys

from .comparison import main

main(sys.argv[1:])
