"""A byte-pair tokenizer: learn merges from a text, encode by rank, decode."""
from typing import Dict, List, Tuple


def words_of(text: str) -> List[str]:
    """Words with the blank before them kept as a mark, and punctuation on its own."""
    words: List[str] = []
    word = ""
    for letter in text.lower():
        if letter.isspace():
            if len(word) > 0:
                words.append(word)
            word = "_"
        elif letter.isalpha():
            word += letter
        else:
            if len(word) > 0:
                words.append(word)
            words.append(letter)
            word = ""
    if len(word) > 0:
        words.append(word)
    return words


def pair_counts(counts: Dict[str, int], splits: Dict[str, List[str]]) -> Dict[str, int]:
    pairs: Dict[str, int] = {}
    for word, count in counts.items():
        parts = splits[word]
        for i in range(len(parts) - 1):
            pair = parts[i] + " " + parts[i + 1]
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs


def most_frequent(pairs: Dict[str, int]) -> str:
    """The pair that occurs most, the first in the alphabet of those that occur as often."""
    best, best_count = "", 0
    for pair, count in pairs.items():
        if count > best_count or (count == best_count and pair < best):
            best, best_count = pair, count
    return best


def merge(parts: List[str], left: str, right: str) -> List[str]:
    merged: List[str] = []
    i = 0
    while i < len(parts):
        if i + 1 < len(parts) and parts[i] == left and parts[i + 1] == right:
            merged.append(left + right)
            i += 2
        else:
            merged.append(parts[i])
            i += 1
    return merged


def train(text: str, merges: int) -> List[Tuple[str, str]]:
    counts: Dict[str, int] = {}
    for word in words_of(text):
        counts[word] = counts.get(word, 0) + 1
    splits = {word: list(word) for word in counts.keys()}
    rules: List[Tuple[str, str]] = []
    for _ in range(merges):
        pair = most_frequent(pair_counts(counts, splits))
        if pair == "":
            break
        left, right = pair.split(" ")
        rules.append((left, right))
        splits = {word: merge(parts, left, right) for word, parts in splits.items()}
    return rules


def encode_word(word: str, ranks: Dict[str, int]) -> List[str]:
    parts = list(word)
    while len(parts) > 1:
        best, best_rank = -1, len(ranks)
        for i in range(len(parts) - 1):
            rank = ranks.get(parts[i] + " " + parts[i + 1], len(ranks))
            if rank < best_rank:
                best, best_rank = i, rank
        if best == -1:
            return parts
        parts = merge(parts, parts[best], parts[best + 1])
    return parts


def encode(text: str, rules: List[Tuple[str, str]]) -> List[str]:
    ranks: Dict[str, int] = {}
    for rank, (left, right) in enumerate(rules):
        ranks[left + " " + right] = rank
    tokens: List[str] = []
    for word in words_of(text):
        tokens.extend(encode_word(word, ranks))
    return tokens


def decode(tokens: List[str]) -> str:
    return "".join(tokens).replace("_", " ").strip()


def main() -> Tuple[List[str], List[str], str]:
    text = (
        "the cat sat on the mat. the bat sat on the cat. that cat chatted with the bats, "
        "and the other cats batted at the mats in the hat that the cat had sat on."
    )
    rules = train(text, 18)
    tokens = encode("the bat and the cat that sat on a hat", rules)
    return [left + right for left, right in rules], tokens, decode(tokens)
