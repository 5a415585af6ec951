"""``python -m tests.exporting.beside_pytorch [/N] [NAME …]``: modules exported here and by ``torch.export``, compared.

``/N`` takes every Nth of the cases: modules of the archive tests, of PyTorch's files, and programs with sizes that may
change, each for fixed sizes, for the sizes that it declares, and for all sizes automatic.
"""

from __future__ import annotations

import sys

from .comparison import main

main(sys.argv[1:])
