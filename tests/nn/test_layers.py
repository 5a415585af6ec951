"""Our layers, evaluated by tsc: PyTorch's recorded parameters from the same seed, texts and outputs."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import nullcontext

import pytest

from tsc.compiler.source import Source
from tsc.runtime.construction.construct import Construction
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.random.generator import manual_seed
from tsc.runtime.scripting.script import script_instance

from .cases import Case, cases, initializations
from .deviations import OTHER_GRAPHS
from .record import CODE, RECORD, unmangled
from .summary import close, summary

CODE_BY_METHOD = json.loads(gzip.decompress(CODE.read_bytes()))
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
CLASSES = sorted({name for case in cases() for name in re.findall(r"\b([A-Z]\w+)[.(]", case.layer)})
FUNCTIONS = "empty, ones, rand, randn, tensor, zeros"
FILE = f"import torch\nfrom torch import {FUNCTIONS}\nfrom torch.nn import {', '.join(CLASSES)}\n"


def file() -> Construction:
    return Construction.from_source(Source(FILE, "layers.py"))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_layers_have_pytorchs_parameters_and_text(case: Case) -> None:
    here, expected = file(), RECORDED["layers"][case.name]
    manual_seed(0)
    layer = here.evaluate_expression(case.layer)
    here.call_method(layer, "train", case.training)
    state = {name: summary(value) for name, value in here.call_method(layer, "state_dict").items()}
    assert list(state) == list(expected["state"])
    assert close(state, expected["state"])
    parameters = dict(here.call_method(layer, "named_parameters"))
    assert [name for name, each in parameters.items() if each.requires_grad] == expected["trained"]
    assert here.call_method(layer, "__repr__") == expected["text"]


@pytest.mark.filterwarnings("ignore:key_padding_mask and attn_mask")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_layers_called_while_constructing_answer_as_pytorchs(case: Case) -> None:
    here, expected = file(), RECORDED["layers"][case.name]
    manual_seed(0)
    layer = here.evaluate_expression(case.layer)
    here.call_method(layer, "train", case.training)
    before = {name: summary(value) for name, value in here.call_method(layer, "state_dict").items()}
    manual_seed(1)
    inputs = here.evaluate_expression(f"[{case.inputs}]")
    manual_seed(2)
    with nullcontext() if case.training else NoGrad():
        output = here.call(layer, *inputs)
    assert close(summary(output), expected["output"])
    after = {name: summary(value) for name, value in here.call_method(layer, "state_dict").items()}
    changed = {name: value for name, value in after.items() if value != before[name]}
    assert close(changed, expected["changed"])


@pytest.mark.filterwarnings("ignore:key_padding_mask and attn_mask")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_scripted_layers_have_pytorchs_outputs_and_code(case: Case) -> None:
    here, expected = file(), RECORDED["layers"][case.name]
    manual_seed(0)
    layer = here.evaluate_expression(case.layer)
    here.call_method(layer, "train", case.training)
    scripted = script_instance(layer, here)
    manual_seed(1)
    inputs = here.evaluate_expression(f"[{case.inputs}]")
    manual_seed(2)
    with nullcontext() if case.training else NoGrad():
        output = scripted(*inputs)
    assert close(summary(output), expected["output"])
    state = {name: summary(value) for name, value in scripted.state_dict().items()}
    assert close(state, expected["state"] | expected["changed"])
    kind = case.layer.partition("(")[0].partition(".")[0]
    for name, code in CODE_BY_METHOD.get(case.name, {}).items():
        if name not in OTHER_GRAPHS.get(kind, ()):
            assert unmangled(getattr(scripted, name).code) == code


@pytest.mark.parametrize("call", initializations())
def test_initializations_draw_pytorchs_values(call: str) -> None:
    manual_seed(0)
    got = file().evaluate_expression(f"torch.nn.init.{call}")
    assert close(summary(got), RECORDED["initializations"][call])


def test_all_initializations_that_pytorch_does_not_compile_are_tried() -> None:
    from tsc.runtime.library.index import definitions_of

    public = {name for name in definitions_of("torch.nn.init") if not name.startswith("_")}
    assert {call.partition("(")[0] for call in initializations()} == public


def test_parameters_are_one_vector_and_come_back() -> None:
    here = Construction.from_source(Source("import torch\nfrom torch import nn\n", "vector.py"))
    layer = here.evaluate_expression("nn.Linear(2, 3)")
    parameters = [each for _, each in here.call_method(layer, "named_parameters")]
    vector = here.evaluate_expression("nn.utils.parameters_to_vector")
    back = here.evaluate_expression("nn.utils.vector_to_parameters")
    assert here.call(vector, parameters).tolist() == [
        *parameters[0].reshape(-1).tolist(),
        *parameters[1].tolist(),
    ]
    here.call(back, here.evaluate_expression("torch.arange(9.0)"), parameters)
    assert parameters[0].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert parameters[1].tolist() == [6, 7, 8]
