"""What is captured: the nodes, the signature, results equal to the program's, and a module that stays what it was."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.node import Op

MODULE = """
import torch
from torch import nn
from typing import Dict, List, Tuple

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x: torch.Tensor, flag: bool = True) -> Tuple[torch.Tensor, int]:
        self.seen = self.seen + 1
        y = self.layers(x)
        if flag:
            y = torch.softmax(y, -1) + 1
        return y * torch.tensor([1.0, 2.0, 3.0]) + self.seen, x.size(0)

    @torch.jit.export
    def first(self, parts: List[torch.Tensor], named: Dict[str, torch.Tensor]) -> torch.Tensor:
        total = named["a"]
        for part in parts:
            total = total + self.layers(part)
        return total
"""


def unit(text: str) -> Any:
    return tsc.CompilationUnit(
        "from typing import *\nimport torch\nfrom torch import Tensor\n" + text
    )


def targets(program: Any) -> list[str]:
    nodes = program.graph.find_nodes(Op.CALL_FUNCTION)
    return [str(node.target).removeprefix("torch.ops.aten.") for node in nodes]


@pytest.fixture
def net() -> Any:
    tsc.manual_seed(0)
    return tsc.CompilationUnit(MODULE).Net()


def test_operators_parameters_and_constants(net: Any) -> None:
    program = tsc.export(net, (tsc.ones(2, 4),))
    assert targets(program) == [
        *("add.Tensor", "linear.default", "relu.default", "linear.default", "softmax.int"),
        *("add.Tensor", "lift_fresh_copy.default", "detach_.default", "mul.Tensor", "add.Tensor"),
        "copy_.default",
    ]
    signature = program.graph_signature
    assert signature.parameters[:2] == ("layers.0.weight", "layers.0.bias")
    assert signature.buffers == ("seen",)
    assert signature.lifted_tensor_constants == ("lifted_tensor_0",)
    assert signature.user_inputs == ("x",)


def test_results_are_the_programs_and_the_module_is_left_as_it_was(net: Any) -> None:
    x = tsc.ones(2, 4)
    program = tsc.export(net, (x,))
    assert net.seen.item() == 0
    module = program.module()
    for _ in range(3):
        expected, size = net(x)
        found, same_size = module(x)
        assert found.tolist() == expected.tolist()
        assert same_size == size == 2


def test_methods_with_nested_arguments(net: Any) -> None:
    given = ([tsc.ones(1, 4), tsc.zeros(1, 4)], {"a": tsc.ones(1, 3)})
    program = tsc.export(net, given, method="first")
    assert program.graph_signature.user_inputs == ("parts_0", "parts_1", "named_a")
    assert program.module()(*given).tolist() == net.first(*given).tolist()


def test_saved_programs_come_back(net: Any) -> None:
    program = tsc.export(net, (tsc.ones(2, 4),))
    file = io.BytesIO()
    tsc.save_exported(program, file)
    again = tsc.load_exported(file.getvalue())
    assert str(again) == str(program)
    x = tsc.randn(2, 4)
    assert again.module()(x)[0].tolist() == program.module()(x)[0].tolist()


def test_places_and_modules_are_told(net: Any) -> None:
    program = tsc.export(net, (tsc.ones(2, 4),))
    linear = program.graph.find_nodes(Op.CALL_FUNCTION)[1]
    assert [path for path, _ in linear.meta["nn_module_stack"].values()] == [
        *("", "layers", "layers.0"),
    ]
    assert "in forward" in linear.meta["stack_trace"]


def test_written_arguments_stay_what_they_were() -> None:
    f = unit("def f(x: Tensor) -> Tensor:\n    x[0] = 3.0\n    x.add_(1)\n    return x * 2\n").f
    x = tsc.zeros(2)
    program = tsc.export(f, (x,))
    assert x.tolist() == [0, 0]
    assert program.module()(x).tolist() == [8, 2]
    assert x.tolist() == [4, 1]


def test_loops_and_containers_are_written_out() -> None:
    f = unit(
        "def f(x: Tensor, n: int) -> List[Tensor]:\n    found: List[Tensor] = []\n    for i in range(n):\n"
        "        if i % 2 == 0:\n            found.append(x * i)\n    return found\n"
    ).f
    program = tsc.export(f, (tsc.ones(2), 5))
    assert targets(program) == ["mul.Tensor"] * 3
    assert [each.tolist() for each in program.module()(tsc.ones(2), 5)] == [[0, 0], [2, 2], [4, 4]]
    with pytest.raises(tsc.ScriptError):
        program.module()(tsc.ones(2), 6)


def test_other_sizes_are_refused(net: Any) -> None:
    module = tsc.export(net, (tsc.ones(2, 4),)).module()
    with pytest.raises(tsc.ScriptError, match=r"x.size\(\)\[0\] == 2"):
        module(tsc.ones(3, 4))


REFUSED = {
    "list": ("return [1, 2].index(int(x[0]))", "takes a number, a truth value or a text"),
    "mask": ("return x.outer(x)[x > 0, x.long()]", "indexed by a mask and by another tensor"),
    "classes": ("return torch.nn.functional.one_hot(x.long())", "found in the data"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_data_decides_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    f = unit(f"def f(x: Tensor):\n    {body}\n").f
    with pytest.raises(tsc.ExportError, match=message) as caught:
        tsc.export(f, (tsc.ones(2),))
    assert "<--- HERE" in str(caught.value)
    assert "hint: " in str(caught.value)


def test_changed_attributes_are_refused_and_put_back() -> None:
    text = MODULE.replace("self.seen = self.seen + 1", "self.turns.append(1)").replace(
        "super().__init__()", "super().__init__()\n        self.turns = [0]"
    )
    net = tsc.CompilationUnit(text).Net()
    with pytest.raises(tsc.ExportError, match="the list turns of the module has other elements"):
        tsc.export(net, (tsc.ones(2, 4),))
    assert net.turns == [0]


def test_what_is_no_program_is_refused(net: Any) -> None:
    with pytest.raises(tsc.Error, match="no method backwards; its methods are: forward, first"):
        tsc.export(net, (), method="backwards")
    with pytest.raises(tsc.Error, match="takes a compiled function or module, not int"):
        tsc.export(3, ())


def test_on_a_function_alone_it_decorates() -> None:
    def method(self: Any) -> None: ...

    assert tsc.export(method) is method


def test_programs_of_fixed_sizes_need_no_sympy() -> None:
    text = (
        "import sys; sys.modules['sympy'] = None\n"
        "import tsc\n"
        "f = tsc.CompilationUnit('def f(x: Tensor):\\n    return x + 1\\n').f\n"
        "print(tsc.export(f, (tsc.ones(2),)).module()(tsc.ones(2)).tolist())\n"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert found.stdout.strip() == "[2.0, 2.0]"
