"""A word tokenizer: strings in, ids out, with a vocabulary that grows."""
from typing import Dict, List, Tuple


def split_words(text: str) -> List[str]:
    words: List[str] = []
    word = ""
    for letter in text.lower():
        if letter.isalnum():
            word += letter
            continue
        if len(word) > 0:
            words.append(word)
            word = ""
        if not letter.isspace():
            words.append(letter)
    if len(word) > 0:
        words.append(word)
    return words


def encode(text: str, vocabulary: Dict[str, int]) -> List[int]:
    ids: List[int] = []
    for word in split_words(text):
        if word not in vocabulary:
            vocabulary[word] = len(vocabulary)
        ids.append(vocabulary[word])
    return ids


def decode(ids: List[int], vocabulary: Dict[str, int]) -> str:
    words: Dict[int, str] = {}
    for word, number in vocabulary.items():
        words[number] = word
    return " ".join([words[i] for i in ids])


def main() -> Tuple[List[int], str, Dict[str, int]]:
    vocabulary: Dict[str, int] = {}
    ids = encode("The cat sat; the cat -- a CAT! -- slept.", vocabulary)
    return ids, decode(ids, vocabulary), vocabulary
