"""Strict mode refuses the layers that PyTorch cannot script, and no others."""

from __future__ import annotations

import pytest

from tsc.compiler.source import CompileError, Source, codes
from tsc.runtime.construction.construct import Construction
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.scripting.script import script_instance

from .cases import Case, cases
from .deviations import FUNCTION_NOT_SCRIPTED_BY_PYTORCH, NOT_SCRIPTED_BY_PYTORCH
from .test_layers import FILE

REFUSED = FUNCTION_NOT_SCRIPTED_BY_PYTORCH | NOT_SCRIPTED_BY_PYTORCH


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_strict_mode_scripts_what_pytorch_scripts(case: Case) -> None:
    here = Construction.from_source(Source(FILE, "layers.py"), toolchain(strict=True))
    layer = here.evaluate_expression(case.layer)
    if {case.layer, case.layer.partition("(")[0]} & REFUSED:
        with pytest.raises(CompileError) as refused:
            script_instance(layer, here)
        assert refused.value.code == codes.ONLY_IN_TSC
    else:
        script_instance(layer, here)
