"""Gradients of the loss over all alignments of a sequence with its labels (CTC)."""

from typing import Final

FORMULAS: Final = """
ctc_loss.IntList
    == alignment_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
ctc_loss.Tensor
    == alignment_loss(log_probs, targets, numbers_of(input_lengths), numbers_of(target_lengths), blank, reduction, zero_infinity)
"""

FUNCTIONS: Final = '''
def numbers_of(tensor: Tensor):
    return [int(tensor[place]) for place in range(tensor.size(0))]


def with_blanks(labels: Tensor, blank: int):
    """Labels with blanks before, between and after them."""
    found = torch.full([2 * labels.size(0) + 1], blank, dtype=torch.int64)
    for place in range(labels.size(0)):
        found[2 * place + 1] = labels[place]
    return found


def one_alignment_loss(logs: Tensor, labels: Tensor, blank: int):
    """Minus the logarithm of what all alignments of one sequence add up to; `logs` are (time, classes)."""
    states = with_blanks(labels, blank)
    count = states.size(0)
    lowest = float('-inf')
    given = logs.index_select(1, states)
    skips = torch.zeros([count], dtype=torch.bool)
    if count > 2:
        skips[2:] = (states[2:] != blank) & (states[2:] != states[:-2])
    start = torch.arange(count) < 2
    alpha = torch.where(start, given[0], torch.full([count], lowest, dtype=logs.dtype))
    for time in range(1, logs.size(0)):
        one = torch.constant_pad_nd(alpha[:-1], [1, 0], lowest)
        two = torch.constant_pad_nd(alpha[:-2], [2, 0], lowest) if count > 1 else torch.full_like(alpha, lowest)
        two = two.masked_fill(~skips, lowest)
        alpha = torch.logsumexp(torch.stack([alpha, one, two]), 0) + given[time]
    return -torch.logsumexp(alpha[-2:], 0)


def alignment_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: List[int], target_lengths: List[int], blank: int, reduction: int, zero_infinity: bool
):
    """PyTorch takes `log_probs` for logarithms of probabilities that add up to 1; what it adds for that is zero here."""
    is_single = log_probs.dim() == 2
    if is_single:
        log_probs = log_probs.unsqueeze(1)
    losses: List[Tensor] = []
    start = 0
    for number in range(log_probs.size(1)):
        size = target_lengths[number]
        if targets.dim() == 2:
            labels = targets[number, :size]
        else:
            labels = targets[start : start + size]
        start += size
        logs = log_probs[: input_lengths[number], number]
        loss = one_alignment_loss(logs, labels, blank)
        sums = logs.exp().sum()
        losses.append(loss + (sums - sums.detach()))
    found = torch.stack(losses)
    if zero_infinity:
        found = torch.where(found == float('inf'), torch.zeros_like(found), found)
    if reduction == 1:
        return (found / torch.tensor(target_lengths, dtype=found.dtype).clamp(min=1)).mean()
    if reduction == 2:
        return found.sum()
    return found[0] if is_single else found
'''
