"""The graph behind AliasDb: elements, what they may point to, and what they may contain.

Elements are numbers. A *leaf*, which points to nothing, stands for a memory location of its own;
any other element may be whatever it points to, directly or not. Where elements point to each other
in a circle (variables carried around a loop), all of them may be the same location.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Locations = frozenset[int]

NOWHERE: Locations = frozenset()


class AliasTracker:
    """Collects edges; ``settle`` then works out the locations of every element."""

    __slots__ = ("_contained", "_escapes", "_locations", "_points_to", "_reachable")

    def __init__(self) -> None:
        self._points_to: list[list[int]] = []
        self._escapes: list[tuple[int, int]] = []
        self._contained: dict[int, list[int]] = {}
        self._locations: list[Locations] = []
        self._reachable: dict[int, Locations] = {}

    def new_element(self) -> int:
        self._points_to.append([])
        return len(self._points_to) - 1

    def point_to(self, pointer: int, target: int) -> None:
        """``pointer`` may be what ``target`` is."""
        targets = self._points_to[pointer]
        if pointer != target and target not in targets:
            targets.append(target)

    def add_contained(self, container: int, element: int) -> None:
        """What ``container`` is may hold what ``element`` is."""
        contained = self._contained.setdefault(container, [])
        if element not in contained:
            contained.append(element)

    def escape(self, element: int, wildcard: int) -> None:
        """Whatever ``element`` may be is out of sight from now on: it is in a wildcard set."""
        self._escapes.append((element, wildcard))

    def settle(self) -> None:
        """After the last edge: finds the leaves that every element leads to."""
        self._find_locations()
        for element, wildcard in self._escapes:
            for location in self._locations[element]:
                self.point_to(location, wildcard)
        self._find_locations()
        self._collect_contents()

    def _find_locations(self) -> None:
        self._locations = [NOWHERE] * len(self._points_to)
        for group in _strongly_connected(self._points_to):
            members = set(group)
            outside = {t for e in group for t in self._points_to[e] if t not in members}
            locations = _union(self._locations[target] for target in outside)
            for element in group:
                self._locations[element] = locations or frozenset((min(group),))

    def _collect_contents(self) -> None:
        """What containers hold, as contents of the locations that they may be."""
        contained = self._contained
        self._contained = {}
        for container, elements in contained.items():
            for location in self._locations[container]:
                self._contained.setdefault(location, []).extend(elements)

    def locations(self, element: int) -> Locations:
        """The locations that the element may be."""
        return self._locations[element]

    def targets(self, element: int) -> Sequence[int]:
        """What the element may be, one step on."""
        return self._points_to[element]

    def contents(self, element: int) -> Sequence[int]:
        """What the locations of the element may contain, one step in."""
        return [
            each for place in self.locations(element) for each in self._contained.get(place, ())
        ]

    def reachable(self, element: int) -> Locations:
        """The locations that the element may be, or may contain, however deep."""
        return _union(map(self._reachable_from, self._locations[element]))

    def _reachable_from(self, start: int) -> Locations:
        known = self._reachable.get(start)
        if known is not None:
            return known
        found, pending = {start}, [start]
        while pending:
            for element in self._contained.get(pending.pop(), ()):
                new = self._locations[element] - found
                found |= new
                pending += new
        self._reachable[start] = frozenset(found)
        return self._reachable[start]


def _union(sets: Iterable[Locations]) -> Locations:
    """Their union; the very set if there is but one, for the sake of memory."""
    union = NOWHERE
    for each in sets:
        union = union | each if union and each != union else each or union
    return union


def _strongly_connected(edges: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Tarjan's algorithm, without recursion: a component comes after all that it leads to."""
    numbers: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in range(len(edges)):
        if root in numbers:
            continue
        path = [(root, iter(edges[root]))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        on_stack.add(root)
        while path:
            vertex, targets = path[-1]
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[vertex])
                if lowest[vertex] == numbers[vertex]:
                    component = _take_from(stack, vertex)
                    on_stack.difference_update(component)
                    yield component
            elif target not in numbers:
                numbers[target] = lowest[target] = len(numbers)
                stack.append(target)
                on_stack.add(target)
                path.append((target, iter(edges[target])))
            elif target in on_stack:
                lowest[vertex] = min(lowest[vertex], numbers[target])


def _take_from(stack: list[int], vertex: int) -> list[int]:
    """Takes everything from ``vertex`` on off the stack."""
    taken: list[int] = []
    while not taken or taken[-1] != vertex:
        taken.append(stack.pop())
    return taken
