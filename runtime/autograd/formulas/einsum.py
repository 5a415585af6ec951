"""Sums of products, in differentiable terms: operands are brought into one order of letters and multiplied in pairs."""

from typing import Final

FORMULAS: Final = """
einsum
    = einsum_of(equation, tensors)
"""

FUNCTIONS: Final = '''
def letters_of(text: str, rank: int, spread: int):
    """The letters of the dimensions of an operand; those of an ellipsis are digits and the like."""
    named = len(text.replace("...", ""))
    found = torch.jit.annotate(List[str], [])
    for part in range(len(text)):
        if text[part] == ".":
            if text[part:part + 3] == "...":
                count = rank - named if rank >= 0 else spread
                for place in range(count):
                    found.append("." + str(spread - count + place))
        else:
            found.append(text[part])
    return found


def without_repeats(tensor: Tensor, letters: List[str]):
    place = 0
    while place < len(letters):
        other = place + 1
        while other < len(letters):
            if letters[other] == letters[place]:
                tensor = tensor.diagonal(0, place, other).movedim(-1, place)
                letters.pop(other)
            else:
                other += 1
        place += 1
    return tensor


def sum_out(tensor: Tensor, letters: List[str], kept: List[str]):
    place = 0
    while place < len(letters):
        if letters[place] in kept:
            place += 1
        else:
            tensor = tensor.sum([place])
            letters.pop(place)
    return tensor


def size_of_letters(tensor: Tensor, letters: List[str], wanted: List[str]):
    count = 1
    for place in range(len(letters)):
        if letters[place] in wanted:
            count *= tensor.size(place)
    return count


def in_order(tensor: Tensor, letters: List[str], wanted: List[str]):
    places = torch.jit.annotate(List[int], [])
    for letter in wanted:
        places.append(letters.index(letter))
    return tensor.permute(places)


def spread_out(tensor: Tensor, letters: List[str], wanted: List[str]):
    """In the order that is wanted, one element long where it has no such letter."""
    own = [letter for letter in wanted if letter in letters]
    tensor = in_order(tensor, letters, own)
    for place in range(len(wanted)):
        if wanted[place] not in letters:
            tensor = tensor.unsqueeze(place)
    return tensor


def paired(a: Tensor, left: List[str], b: Tensor, right: List[str], kept: List[str]):
    """The product of two operands, summed over the letters that nobody wants any more, and its letters."""
    shared = [letter for letter in left if letter in right]
    for letter in shared:
        here = left.index(letter)
        there = right.index(letter)
        if a.size(here) != b.size(there):
            sizes = list(a.size())
            sizes[here] = max(a.size(here), b.size(there))
            a = a.expand(sizes)
            sizes = list(b.size())
            sizes[there] = a.size(here)
            b = b.expand(sizes)
    batch = [letter for letter in shared if letter in kept]
    summed = [letter for letter in shared if letter not in kept]
    rows = [letter for letter in left if letter not in right]
    columns = [letter for letter in right if letter not in left]
    if len(summed) == 0:
        order = torch.jit.annotate(List[str], [])
        for letter in kept:
            if (letter in left or letter in right) and letter not in order:
                order.append(letter)
        return spread_out(a, left, order) * spread_out(b, right, order), order
    shape = torch.jit.annotate(List[int], [])
    for letter in batch + rows:
        shape.append(a.size(left.index(letter)))
    for letter in columns:
        shape.append(b.size(right.index(letter)))
    count = size_of_letters(a, left, batch)
    depth = size_of_letters(a, left, summed)
    height = size_of_letters(a, left, rows)
    width = size_of_letters(b, right, columns)
    first = in_order(a, left, batch + rows + summed).reshape(count, height, depth)
    second = in_order(b, right, batch + summed + columns).reshape(count, depth, width)
    return first.bmm(second).reshape(shape), batch + rows + columns


def einsum_of(equation: str, tensors: List[Tensor]):
    text = equation.replace(" ", "")
    sides = text.split("->")
    inputs = sides[0].split(",")
    spread = 0
    for place in range(len(inputs)):
        if "..." in inputs[place]:
            spread = max(spread, tensors[place].dim() - len(inputs[place].replace("...", "")))
    terms: List[List[str]] = []
    for place in range(len(inputs)):
        terms.append(letters_of(inputs[place], tensors[place].dim(), spread))
    if len(sides) > 1:
        wanted = letters_of(sides[1], -1, spread)
    else:
        wanted = torch.jit.annotate(List[str], [])
        for place in range(spread):
            wanted.append("." + str(place))
        seen = torch.jit.annotate(List[str], [])
        for term in terms:
            seen += term
        single = [letter for letter in sorted(seen) if seen.count(letter) == 1 and letter[0] != "."]
        wanted += single
    found = without_repeats(tensors[0], terms[0])
    letters = terms[0]
    for place in range(1, len(tensors)):
        other = without_repeats(tensors[place], terms[place])
        kept = list(wanted)
        for later in range(place + 1, len(terms)):
            kept += terms[later]
        found = sum_out(found, letters, kept + terms[place])
        other = sum_out(other, terms[place], kept + letters)
        found, letters = paired(found, letters, other, terms[place], kept)
    found = sum_out(found, letters, wanted)
    return in_order(found, letters, wanted)
'''
