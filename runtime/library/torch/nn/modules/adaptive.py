# Softmax over very many classes: frequent ones in the head, rare ones in clusters of their own.
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn import Linear, ModuleList, Sequential
from torch.nn.modules.layer import _Layer


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(_Layer):
    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs,
        div_value: float = 4.0,
        head_bias: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        cutoffs = list(cutoffs)
        ends = [0, *cutoffs, n_classes]
        rising = all([int(end) == end and low < end for low, end in zip(ends, ends[1:])])
        if not cutoffs or not rising:
            raise ValueError(f"cutoffs are ints that rise between 0 and {n_classes}, not {cutoffs}")
        head_size = cutoffs[0] + len(cutoffs)
        super().__init__(
            in_features=in_features,
            n_classes=n_classes,
            cutoffs=[*cutoffs, n_classes],
            div_value=div_value,
            head_bias=head_bias,
            shortlist_size=cutoffs[0],
            n_clusters=len(cutoffs),
            head_size=head_size,
        )
        place = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, head_size, head_bias, **place)
        self.tail = ModuleList()
        for rank, (low, end) in enumerate(zip(cutoffs, self.cutoffs[1:]), 1):
            hidden = int(in_features // div_value**rank)
            narrowed = Linear(in_features, hidden, False, **place)
            self.tail.append(Sequential(narrowed, Linear(hidden, end - low, False, **place)))

    def reset_parameters(self) -> None:
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    # The log probability of each target is that of its cluster in the head, and its own therein.
    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        targ_dim = target_.dim()
        if targ_dim > 1:
            raise RuntimeError(f"0D or 1D target tensor expected, not {targ_dim}D: multi-target not supported")
        if input_.dim() != targ_dim + 1:
            raise RuntimeError(
                f"{targ_dim}D target tensor expects {targ_dim + 1}D input tensors, "
                f"but found inputs with size {input_.size()}"
            )
        if targ_dim == 1 and input_.size(0) != target_.size(0):
            raise RuntimeError(
                "Input and target should have the same size in dimension 0, the batch's, "
                f"not {input_.size(0)} and {target_.size(0)}"
            )
        input = input_ if targ_dim == 1 else input_.unsqueeze(0)
        target = target_ if targ_dim == 1 else target_.unsqueeze(0)
        if bool(((target < 0) | (target >= self.n_classes)).any()):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        within = torch.zeros_like(input[:, 0])
        places = target.clone()
        for i, cluster in enumerate(self.tail):
            rows = (target >= self.cutoffs[i]) & (target < self.cutoffs[i + 1])
            rows = rows.nonzero().squeeze(1)
            if rows.numel() > 0:
                log_probs = F.log_softmax(cluster(input.index_select(0, rows)), dim=1)
                classes = (target.index_select(0, rows) - self.cutoffs[i]).unsqueeze(1)
                within.index_copy_(0, rows, log_probs.gather(1, classes).squeeze(1))
                places.index_fill_(0, rows, self.shortlist_size + i)
        head = F.log_softmax(self.head(input), dim=1)
        output = within + head.gather(1, places.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        if targ_dim == 0:
            output = output.squeeze(0)
        return _ASMoutput(output, loss)

    @torch.jit.export
    def log_prob(self, input: Tensor) -> Tensor:
        head = F.log_softmax(self.head(input), dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, cluster in enumerate(self.tail):
            log_probs = F.log_softmax(cluster(input), dim=1)
            parts.append(log_probs + head[:, self.shortlist_size + i].unsqueeze(1))
        return torch.cat(parts, 1)

    @torch.jit.export
    def predict(self, input: Tensor) -> Tensor:
        frequent = torch.argmax(self.head(input), dim=1)
        if bool((frequent < self.shortlist_size).all()):
            return frequent
        anywhere = torch.argmax(self.log_prob(input), dim=1)
        return torch.where(frequent < self.shortlist_size, frequent, anywhere)
