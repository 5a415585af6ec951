# ruff: noqa: E501  a table
"""The table: what each module is called, how it is made, and what it is called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from tests.oracle.archives import classes, layers, networks, products


@dataclass(frozen=True)
class Call:
    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Sample:
    """A module: `make` gives it, scripted or traced; `calls` are made one after the other.

    `eager` gives the module of Python; `plain` does, too, if it is scripted.
    """

    name: str
    make: Callable[[], torch.jit.ScriptModule]
    calls: tuple[Call, ...] = field(default=())
    plain: Callable[[], nn.Module] | None = None
    eager: Callable[[], nn.Module] | None = None


def _scripted(name: str, make: Callable[[], nn.Module], *calls: tuple[Any, ...] | Call) -> Sample:
    def plain() -> nn.Module:
        torch.manual_seed(0)
        return make().eval()

    return Sample(name, lambda: torch.jit.script(plain()), _calls(calls), plain, plain)


def _traced(name: str, make: Callable[[], nn.Module], *arguments: Any) -> Sample:
    def eager() -> nn.Module:
        torch.manual_seed(0)
        return make().eval()

    def trace() -> torch.jit.ScriptModule:
        return torch.jit.trace(eager(), arguments, check_trace=False)

    return Sample(f"traced_{name}", trace, _calls([arguments]), eager=eager)


def _calls(calls: Any) -> tuple[Call, ...]:
    return tuple(each if isinstance(each, Call) else Call("forward", each) for each in calls)


def _random(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(sum(sizes)))


_tokens = torch.tensor([[1, 5, 2, 7], [3, 3, 0, 10]])
_vector = _random(3)
_words = torch.tensor([[3, 4], [5, 1], [7, 8]])
_edges = torch.tensor([[0, 1, 2, 3, 0], [1, 2, 3, 0, 2]])
_bags = {
    "field0": (torch.tensor([1, 2, 4]), torch.tensor([0, 2])),
    "field1": (torch.tensor([6, 0, 3, 3]), torch.tensor([0, 1])),
    "field2": (torch.tensor([2]), torch.tensor([0, 1])),
}
_boxes = torch.tensor([[0.0, 0, 4, 4], [1, 1, 5, 5], [0, 0, 4, 3.9], [8, 8, 9, 9]])

SAMPLES = (
    _scripted("resnet", layers.ResNet, (_random(1, 3, 16, 16),)),
    _scripted("vgg", layers.Vgg, (_random(2, 3, 8, 8),)),
    _scripted("mobilenet", layers.InvertedResidual, (_random(1, 3, 6, 6),)),
    _scripted("unet", layers.UNet, (_random(1, 1, 8, 8),)),
    _scripted("densenet", layers.DenseNet, (_random(1, 2, 5, 5),)),
    _scripted("upsampler", layers.Upsampler, (_random(1, 2, 3, 3),)),
    _scripted("language_model", layers.LanguageModel, (_tokens,)),
    _scripted("gru_tagger", layers.GruTagger, (_random(5, 2, 4),)),
    _scripted("cell_loop", layers.CellLoop, (_random(3, 2, 3),)),
    _scripted("gpt", layers.Gpt, (_tokens,), Call("generate", (_tokens, 3))),
    _scripted("speech_front", layers.SpeechFront, (_random(2, 32),)),
    _scripted("recommender", layers.Recommender, (torch.tensor([1, 2, 4, 5, 4]), torch.tensor([0, 2]))),
    _scripted("detector", layers.Detector, (_boxes, torch.tensor([0.9, 0.8, 0.7, 0.6]))),
    _scripted("attention", lambda: nn.MultiheadAttention(8, 2), (_random(3, 2, 8),) * 3),
    _scripted("transformer_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16), (_random(3, 2, 8),)),
    _scripted("transformer_decoder", lambda: nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), (_random(2, 3, 8), _random(2, 4, 8))),
    _scripted("interface", classes.UsesInterface, (_vector,)),
    _scripted("interface_list", classes.InterfaceList, (_vector, 0), (_vector, 1)),
    _scripted("class_attributes", classes.HasClasses, (_vector,), (_vector,)),
    _scripted("class_instances", classes.MakesClasses, (_vector, 4)),
    _scripted("enums", classes.HasEnums, (_vector,)),
    _scripted("named_tuples", classes.GivesTuples, (_vector,)),
    _scripted("attributes", classes.HasAttributes, (_random(2),), (_random(2),)),
    _scripted("constants", classes.HasConstants, (_random(2, 3),)),
    _scripted("optional_there", lambda: classes.OptionalMembers(True), (_vector,), (_vector, _vector)),
    _scripted("optional_absent", lambda: classes.OptionalMembers(False), (_vector,)),
    _scripted("shared_tensors", classes.SharedTensors, (_vector,), (_vector,)),
    _scripted("several_methods", classes.SeveralMethods, (_vector,), Call("decode", (_vector,)), Call("total", ([_vector, _vector], 0.5))),
    _scripted("containers", classes.Containers, (_vector,)),
    _scripted("get_state", classes.KeepsState, (_vector,)),
    _scripted("hooks_inside", classes.AroundHooked, (_vector,)),
    _scripted("hooks_outside", classes.hooked, (_vector,)),
    _scripted("control_flow", classes.ControlFlow, (_vector, 5)),
    _scripted("raises", classes.Raises, (_vector, 2)),
    _scripted("forks", classes.Forks, (_vector,)),
    _scripted("grad_mode", classes.GradMode, (_vector,)),
    _scripted("texts", classes.Texts, (_vector, "name")),
    _scripted("dtypes", classes.Dtypes, (_vector,)),
    _scripted("translator", networks.Translator, (_words, _words), Call("search", (_words[:, :1], 3, 6))),
    _scripted("random_field", networks.Tagger, (_tokens[:1],), Call("partition", (_tokens[1:],))),
    _scripted("variational", networks.Autoencoder, (_random(2, 1, 8, 8),), Call("encode", (_random(1, 1, 8, 8),))),
    _scripted("shuffled", networks.Shuffled, (_random(1, 8, 4, 4),)),
    _scripted("squeezenet", networks.SqueezeNet, (_random(1, 3, 17, 17),)),
    _scripted("vision_transformer", networks.VisionTransformer, (_random(2, 3, 8, 8),)),
    _scripted("windowed", networks.Windowed, (_random(1, 4, 4, 4),)),
    _scripted("mixer", networks.Mixer, (_random(2, 4, 6),)),
    _scripted("points", networks.Points, (_random(2, 3, 7),)),
    _scripted("graph_network", networks.GraphNetwork, (_random(4, 3), _edges)),
    _scripted("wavenet", networks.WaveNet, (_random(1, 12),), Call("compressed", (_vector,))),
    _scripted("speech_recognizer", networks.SpeechRecognizer, (_random(2, 64),)),
    _scripted("factorization", networks.Factorization, (_random(2, 2), _bags)),
    _scripted("anchors", networks.Anchors, (_random(1, 3, 16, 16),), (_random(2, 3, 8, 8), 0.1)),
    _scripted("policy", networks.Policy, (_random(4),), Call("act", (_random(4), 0.1)), Call("act", (_random(4), 0.9))),
    _scripted("flow", networks.Flow, (_random(3, 2), 1.0), (_random(3, 2), 0.5, 2)),
    _scripted("capsules", networks.Capsules, (_random(2, 4, 2),)),
    _scripted("twins", networks.Twins, (_random(2, 4), _random(2, 4)), (_random(2, 4), _random(2, 4), _random(2, 4) + 1)),
    _scripted("highway", networks.Highway, (_random(2, 4),)),
    _scripted("experts", networks.Experts, (_random(5, 4),)),
    _scripted("rotary", networks.Rotary, (_random(1, 3, 8),), (_random(1, 1, 8), (_random(1, 1, 3, 4), _random(1, 1, 3, 4)))),
    _scripted("whole_transformer", lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True), (_random(2, 3, 8), _random(2, 4, 8))),
    _traced("vision_transformer", networks.VisionTransformer, _random(2, 3, 8, 8)),
    _traced("squeezenet", networks.SqueezeNet, _random(1, 3, 17, 17)),
    _traced("mixer", networks.Mixer, _random(2, 4, 6)),
    _traced("points", networks.Points, _random(2, 3, 7)),
    _traced("variational", networks.Autoencoder, _random(2, 1, 8, 8)),
    _traced("resnet", layers.ResNet, _random(1, 3, 16, 16)),
    _traced("block", layers.Block, _random(2, 3, 8)),
    _traced("gru", layers.GruTagger, _random(5, 2, 4)),
    _traced("language_model", lambda: nn.LSTM(4, 3, 2), _random(5, 2, 4)),
    _traced("sequential", lambda: nn.Sequential(nn.Linear(3, 4), nn.Softplus(), nn.Linear(4, 2)), _vector),
    _traced("numbers", products.TracedNumbers, _random(2, 3)),
    _scripted("other_first_parameter", products.OtherFirstParameter, (_random(2, 3),)),
    _scripted("padded_encoder", products.PaddedEncoder, (_random(2, 4, 8), torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]]))),
    _scripted("speech_detector", products.SpeechDetector, (_random(16), 16), (_random(16), 16), (_random(2, 32), 32), (_random(12), 8), Call("restart", (3,)), (_random(3, 12), 8)),
    _scripted("pair_tokenizer", products.PairTokenizer, (["Lower new ", "low"], 4), (["er"], 2, 8)),
    _scripted("beam_search", products.BeamSearch, (_random(1, 6),), (_random(1, 6), 3, 5)),
    _scripted("interactions", products.Interactions, (_random(2, 3), [torch.tensor([1, 2, 3]), torch.tensor([0, 8])], [torch.tensor([0, 1]), torch.tensor([0, 2])])),
    _traced("viewed_attention", products.ViewedAttention, _random(2, 5, 8), torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])),
)  # fmt: skip
