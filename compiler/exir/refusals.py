"""What exported programs cannot have: one table of reasons, each with a code, and with a way out.

Capture follows a program on example arguments; what the elements of tensors decide, what leaves that is no tensor and
what changes outside of tensors has no place in what it records. A code keeps its meaning, and is not given again
(TX401, of regions without gradients, and TX403, of tasks, are exported by now). TX5 is of ONNX alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason: `summary` is a sentence's part, `reason` says why, and `rewrite` what to write in its place."""

    code: str
    name: str
    summary: str
    reason: str
    rewrite: str


REFUSALS: Final[dict[str, Refusal]] = {}
"""All of them by their codes, in order."""


def _refusal(code: str, name: str, summary: str, reason: str, rewrite: str) -> Refusal:
    refusal = REFUSALS[code] = Refusal(code, name, summary, reason, rewrite)
    return refusal


# TX1: what comes in, and what leaves ---------------------------------------------------------------

ARGUMENT: Final = _refusal(
    "TX101",
    "argument-not-exportable",
    "an argument is of a type that exported programs do not take",
    "Exported programs take tensors, numbers, strings, None, and tuples, lists and dicts of these. Objects, "
    "enumerations and futures have no form in a file of theirs.",
    "give what the object holds as arguments of their own",
)
RESULT: Final = _refusal(
    "TX102",
    "result-not-exportable",
    "a result is of a type that exported programs do not give",
    "Exported programs give tensors, numbers, None, and tuples, lists and dicts of these. PyTorch does not load "
    "programs that give strings or truth values.",
    "return a tuple of what it holds, numbers in place of strings, and tensors in place of truth values",
)
HOOKS: Final = _refusal(
    "TX103",
    "module-with-hooks",
    "a hook of the module gives other arguments than it takes",
    "Hooks run around forward, and are captured with it. The arguments that they give are to be as many as they take: "
    "those of forward have the names of the inputs.",
    "write a module whose forward does what the hook does, and calls this one",
)

# TX2: what data decides ----------------------------------------------------------------------------

ELEMENT: Final = _refusal(
    "TX201",
    "element-read",
    "a number out of a tensor has to be known while the program is captured",
    "Such numbers may be computed with and compared, decide branches and loops, be put into lists, tell which of "
    "some like elements is taken, and be factors, bounds and positions of operators. Keys of dicts, bits, lengths "
    "and parts of lists, and what is searched in them, would be those of the example.",
    "compute with tensors: torch.where in the place of if, a tensor of no dimensions in the place of a number",
)
SIZE: Final = _refusal(
    "TX202",
    "size-from-data",
    "how many elements a result has is decided by data",
    "What masks, nonzero, unique and whole numbers out of tensors make is of a size that a symbol stands for. "
    "Operators that have no rule for such sizes are refused; dimensions, steps and fractions have to be known.",
    "select with torch.where, or compute on all elements and mask them",
)
TEXT: Final = _refusal(
    "TX203",
    "text-of-elements",
    "a text is made of what a tensor holds",
    "Texts are computed while the program is captured: this one would always be that of the example arguments. "
    "It may be printed, or be that of an exception.",
    "return the tensor, and make the text of it outside",
)
BRANCHES_DIFFER: Final = _refusal(
    "TX204",
    "branches-differ",
    "the branches of a condition that data decides give different things",
    "Both branches become graphs of one operator, cond, whose results have one form: as many tensors, of the same "
    "dtypes and numbers of dimensions, whichever is taken.",
    "give the same kind of thing in both branches, of the same dtype: torch.where chooses elements",
)
CHANGED_OUTSIDE: Final = _refusal(
    "TX205",
    "outside-changed",
    "a branch or a loop that data decides makes a list outside of it longer or shorter, or changes what has two names",
    "Graphs that data chooses or repeats take tensors and give tensors, always as many. Attributes, and elements of "
    "lists outside, are results of theirs if they change them; a list that they make longer or shorter is one tensor, "
    "in which its elements are stacked: tensors of one size, or numbers. A tensor that they write to is not to be seen "
    "in them by another name, nor to be in such a list, and a list that data has chosen is not to be changed.",
    "put elements of one size into a list, choose elements with a mask, or write into a tensor that has room for all "
    "turns and take as much of it as was written",
)
BRANCH_FAILS: Final = _refusal(
    "TX206",
    "branch-fails",
    "a branch that data decides fails on the example arguments",
    "Both branches are run while the program is captured, the one that is not taken, too.",
    "compute in each branch what is there in any case",
)
LOOP: Final = _refusal(
    "TX207",
    "loop-not-bounded",
    "data decides how often a loop turns, and what it carries has no form in while_loop",
    "The loop becomes while_loop, whose state has one form in each turn: tensors of the same dtypes and numbers of "
    "dimensions, whose sizes may change, and numbers. One of at most 200 turns is written out instead.",
    "write into a tensor that has room for all turns, or turn a known number of times, for i in range(…), and "
    "break where data says so",
)

# TX3: state that is no tensor ----------------------------------------------------------------------

ATTRIBUTE: Final = _refusal(
    "TX301",
    "attribute-changed",
    "an attribute of a module is changed, and no buffer could hold it",
    "Tensors and numbers of a module that a program changes become buffers of it, and so do those in lists, tuples and "
    "dicts. A buffer has one size and dtype: texts, what is None at first, and tensors that grow have no place in it.",
    "keep a number, or a tensor of one size, from the beginning",
)
CONTAINER: Final = _refusal(
    "TX302",
    "container-changed",
    "a list or dict that belongs to the module gets longer or shorter, or other keys",
    "The numbers and tensors in lists and dicts of a module become buffers where a program changes them. There are as "
    "many buffers after a call as before.",
    "let it have one length, and write to its elements, or build it in the method",
)
CONSTANT_WRITTEN: Final = _refusal(
    "TX303",
    "constant-written",
    "a tensor that is a constant of the program is written, and is seen by another name",
    "A constant becomes an input of the program, once by each name: a write would show in one of them only.",
    "write to a clone() of it",
)

# TX4: what has no operator -------------------------------------------------------------------------

GRADIENTS: Final = _refusal(
    "TX402",
    "gradients-computed",
    "gradients are computed by the program",
    "The way back through the operators is no operator itself: it is not recorded.",
    "export what the gradients are of, and compute them outside; or write them as formulas",
)
OPERATOR: Final = _refusal(
    "TX404",
    "operator-not-exportable",
    "an operator gives tensors together with other things, which exported programs have no operator for",
    "What is recorded are operators that give tensors, or lists and tuples of them.",
    "compute it with operators of torch on tensors",
)
STORAGE: Final = _refusal(
    "TX405",
    "storage-changed",
    "a tensor gets another storage",
    "Each tensor of an exported program is the result of its operator, and never becomes another one.",
    "give the new tensor a name of its own",
)
RANDOM_STATE: Final = _refusal(
    "TX406",
    "random-state",
    "the state of random numbers is set or read",
    "Exported programs draw from the generator of whoever runs them. A seed that is set while "
    "capturing is not in them.",
    "set the seed before the exported program is called",
)
PRINT: Final = _refusal(
    "TX407",
    "printed",
    "something is printed",
    "Exported programs have no effects but writes to tensors: it is printed once, while capturing.",
    "return the value, and print it outside",
)
GENERATOR: Final = _refusal(
    "TX408",
    "own-generator",
    "random numbers are drawn from a generator of the program's own",
    "A generator has no form in exported programs, which draw from that of whoever runs them.",
    "draw without a generator, or take the random tensor as an argument",
)
TOO_MANY_STEPS: Final = _refusal(
    "TX409",
    "too-many-steps",
    "the program has too many steps when its loops are written out",
    "Loops whose turns are known are written out: a program of hundreds of thousands of steps is of no use to anybody.",
    "compute on whole tensors rather than element by element",
)

# TX5: what has no form in ONNX ---------------------------------------------------------------------

ONNX_OPERATOR: Final = _refusal(
    "TX501",
    "onnx-operator",
    "an operator has no form in ONNX",
    "ONNX has a fixed set of operators. What none of them computes, and what is not made of others that they compute, "
    "cannot be in a model.",
    "compute it with other operators, or keep the program as .pt2",
)
ONNX_DTYPE: Final = _refusal(
    "TX502",
    "onnx-dtype",
    "a tensor is of a dtype that operators of ONNX do not take",
    "Operators of ONNX compute with floats, integers and truth values, and each with some of them.",
    "use tensors of another dtype: the real and the imaginary part as a dimension of two",
)
ONNX_CONSTANT: Final = _refusal(
    "TX503",
    "onnx-constant",
    "an argument is computed while the program runs, which ONNX has as a constant",
    "What operators of ONNX have as attributes is written into the model.",
    "give it as a number",
)
ONNX_SIZE: Final = _refusal(
    "TX504",
    "onnx-size",
    "a size changes, which the form in ONNX needs to know",
    "Some operators are written out for the sizes of their arguments: as many nodes as a size says.",
    "export with a fixed size of this dimension",
)
ONNX_VARIANT: Final = _refusal(
    "TX505",
    "onnx-variant",
    "an operator is called in a way that has no form in ONNX",
    "The operator is there, but not with these options.",
    "call it with other options, or compute it with other operators",
)
ONNX_RESULT: Final = _refusal(
    "TX506",
    "onnx-result",
    "a model gives something else than tensors and numbers, or nothing",
    "Models of ONNX are computed for the tensors that they give.",
    "return the tensors that are wanted",
)
ONNX_MEMORY: Final = _refusal(
    "TX507",
    "onnx-memory",
    "a tensor is written, and shares its memory with another",
    "Buffers and parameters of a model are values of their own: the write would show in one of them only.",
    "compute one of them from the other in the method",
)

# Nodes that are refused for what they are ----------------------------------------------------------

OF_KINDS: Final[dict[str, Refusal]] = {
    "aten::backward": GRADIENTS,
    "aten::_backward": GRADIENTS,
    "aten::grad": GRADIENTS,
    "aten::set_": STORAGE,
    "aten::set_data": STORAGE,
}
"""Nodes that cannot be exported, whatever they are given."""

LOST_EFFECTS: Final[dict[str, Refusal]] = {
    "aten::manual_seed": RANDOM_STATE,
    "aten::seed": RANDOM_STATE,
    "aten::initial_seed": RANDOM_STATE,
    "prim::Print": PRINT,
}
"""Nodes that act while the program is captured, and are not in what is exported: a warning each."""
