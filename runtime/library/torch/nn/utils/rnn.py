# Sequences of different lengths: packed step by step, or padded to one length.
from typing import List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor


class PackedSequence(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Optional[Tensor]
    unsorted_indices: Optional[Tensor]


def invert_permutation(permutation: Optional[Tensor]) -> Optional[Tensor]:
    if permutation is None:
        return None
    places = torch.arange(0, permutation.numel(), device=permutation.device)
    return torch.empty_like(permutation).scatter_(0, permutation, places)


def pack_padded_sequence(
    input: Tensor,
    lengths: Union[Tensor, List[int]],
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    if isinstance(lengths, Tensor):
        sizes = lengths.to(dtype=torch.int64)
    else:
        sizes = torch.tensor(lengths, dtype=torch.int64)
    order: Optional[Tensor] = None
    if not enforce_sorted:
        sizes, order = torch.sort(sizes, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = torch._pack_padded_sequence(input, sizes, batch_first)
    return PackedSequence(data, batch_sizes, order, invert_permutation(order))


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in "
                f"input, but got total_length={total_length} and max sequence length being "
                f"{longest}"
            )
        longest = total_length
    padded, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, longest
    )
    order = sequence.unsorted_indices
    if order is not None:
        return padded.index_select(0 if batch_first else 1, order), lengths[order]
    return padded, lengths


def pad_sequence(
    sequences: Union[Tensor, List[Tensor]],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    return torch._C._nn.pad_sequence(sequences, batch_first, padding_value, padding_side)


def unpad_sequence(
    padded_sequences: Tensor,
    lengths: Tensor,
    batch_first: bool = False,
) -> List[Tensor]:
    samples = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [samples[i][: int(lengths[i])] for i in range(samples.size(0))]


def pack_sequence(sequences: List[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    lengths = torch.tensor([sequence.size(0) for sequence in sequences])
    padded = pad_sequence(sequences)
    return pack_padded_sequence(padded, lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> List[Tensor]:
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
