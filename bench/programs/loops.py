"""Loops over numbers, strings, lists and lists of lists, objects, and the elements of tensors; `bench.native` has arguments for each."""
import math
from typing import List, Tuple

import torch
from torch import Tensor


def collatz(limit: int) -> int:
    longest = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        longest = max(longest, steps)
    return longest


def mandelbrot(size: int, limit: int) -> int:
    total = 0
    for row in range(size):
        for column in range(size):
            a = 3.0 * column / size - 2.0
            b = 2.0 * row / size - 1.0
            x = 0.0
            y = 0.0
            for i in range(limit):
                x, y = x * x - y * y + a, 2.0 * x * y + b
                if x * x + y * y > 4.0:
                    break
                total += 1
    return total


def coprimes(limit: int) -> int:
    count = 0
    for a in range(1, limit):
        for b in range(1, a):
            x = a
            y = b
            while y != 0:
                x, y = y, x % y
            if x == 1:
                count += 1
    return count


def primes_by_division(limit: int) -> int:
    count = 0
    for n in range(2, limit):
        divisor = 2
        is_prime = True
        while divisor * divisor <= n:
            if n % divisor == 0:
                is_prime = False
                break
            divisor += 1
        if is_prime:
            count += 1
    return count


def bisection(problems: int) -> float:
    total = 0.0
    for k in range(problems):
        low = 0.0
        high = 10.0 + k
        for i in range(50):
            middle = (low + high) / 2.0
            if middle * middle * middle - middle > float(k):
                high = middle
            else:
                low = middle
        total += low
    return total


def newton(problems: int) -> float:
    total = 0.0
    for k in range(1, problems):
        x = float(k)
        for i in range(30):
            x = x - (x * x - k) / (2.0 * x)
        total += x
    return total


def random_walk(steps: int) -> Tuple[int, int]:
    state = 12345
    x = 0
    y = 0
    for i in range(steps):
        state = (state * 1103515245 + 12345) % 2147483648
        direction = (state >> 16) % 4
        if direction == 0:
            x += 1
        elif direction == 1:
            x -= 1
        elif direction == 2:
            y += 1
        else:
            y -= 1
    return x, y


def sieve(limit: int) -> int:
    composite = [False for _ in range(limit)]
    count = 0
    for n in range(2, limit):
        if not composite[n]:
            count += 1
            for multiple in range(n * n, limit, n):
                composite[multiple] = True
    return count


def bodies(steps: int) -> float:
    x = [0.0, 4.84, 8.34, 12.89, 15.37]
    y = [0.0, -1.16, 4.12, -15.11, -25.9]
    u = [0.0, 0.6, -1.01, 1.08, 0.97]
    v = [0.0, 2.81, 1.82, 0.86, 0.59]
    mass = [39.47, 0.037, 0.011, 0.0017, 0.002]
    for step in range(steps):
        for i in range(len(x)):
            for j in range(i + 1, len(x)):
                dx = x[i] - x[j]
                dy = y[i] - y[j]
                square = dx * dx + dy * dy + 0.01
                pull = 0.001 / (square * math.sqrt(square))
                u[i] -= dx * mass[j] * pull
                v[i] -= dy * mass[j] * pull
                u[j] += dx * mass[i] * pull
                v[j] += dy * mass[i] * pull
        for i in range(len(x)):
            x[i] += 0.001 * u[i]
            y[i] += 0.001 * v[i]
    return x[1] + y[2]


def product_of_lists(a: List[List[float]], b: List[List[float]]) -> List[List[float]]:
    result: List[List[float]] = []
    for row in a:
        made: List[float] = []
        for column in range(len(b[0])):
            total = 0.0
            for k in range(len(row)):
                total += row[k] * b[k][column]
            made.append(total)
        result.append(made)
    return result


def queens(size: int) -> int:
    places = [0] * size
    row = 0
    count = 0
    places[0] = -1
    while row >= 0:
        places[row] += 1
        if places[row] == size:
            row -= 1
            continue
        fits = True
        for other in range(row):
            distance = places[row] - places[other]
            if distance == 0 or abs(distance) == row - other:
                fits = False
                break
        if fits:
            if row == size - 1:
                count += 1
            else:
                row += 1
                places[row] = -1
    return count


def edit_distance(a: List[int], b: List[int]) -> int:
    before = [i for i in range(len(b) + 1)]
    for i in range(len(a)):
        now = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            now.append(min(min(before[j + 1] + 1, now[j] + 1), before[j] + cost))
        before = now
    return before[-1]


def edit_distance_of_strings(a: str, b: str) -> int:
    before = [i for i in range(len(b) + 1)]
    for i in range(len(a)):
        now = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            now.append(min(min(before[j + 1] + 1, now[j] + 1), before[j] + cost))
        before = now
    return before[-1]


def common_subsequence(a: List[int], b: List[int]) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table[len(a)][len(b)]


def knapsack(weights: List[int], values: List[int], room: int) -> int:
    best = [0] * (room + 1)
    for item in range(len(weights)):
        for left in range(room, weights[item] - 1, -1):
            best[left] = max(best[left], best[left - weights[item]] + values[item])
    return best[room]


def shortest_paths(size: int) -> float:
    distance: List[List[float]] = []
    for i in range(size):
        distance.append([float((i * 7 + j * 13) % 31 + 1) for j in range(size)])
    for k in range(size):
        for i in range(size):
            for j in range(size):
                through = distance[i][k] + distance[k][j]
                if through < distance[i][j]:
                    distance[i][j] = through
    total = 0.0
    for row in distance:
        for each in row:
            total += each
    return total


def insertion_sort(given: List[int]) -> List[int]:
    numbers = list(given)
    for i in range(1, len(numbers)):
        each = numbers[i]
        j = i - 1
        while j >= 0 and numbers[j] > each:
            numbers[j + 1] = numbers[j]
            j -= 1
        numbers[j + 1] = each
    return numbers


def quick_sort(given: List[int]) -> List[int]:
    numbers = list(given)
    pending = [(0, len(numbers) - 1)]
    while len(pending) > 0:
        low, high = pending.pop()
        if low >= high:
            continue
        pivot = numbers[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while numbers[j] > pivot:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        pending.append((low, j))
        pending.append((i, high))
    return numbers


def merged_intervals(given: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    ordered = sorted(given)
    merged: List[Tuple[int, int]] = []
    for begin, end in ordered:
        if len(merged) > 0 and begin <= merged[-1][1]:
            last = merged.pop()
            merged.append((last[0], max(last[1], end)))
        else:
            merged.append((begin, end))
    return merged


def windows(numbers: List[int], width: int) -> int:
    best = 0
    for start in range(len(numbers) - width):
        part = numbers[start : start + width]
        best = max(best, sum(part) - min(part) * width)
    return best


def life(size: int, turns: int) -> int:
    cells = [[(i * 3 + j * 5) % 7 < 3 for j in range(size)] for i in range(size)]
    for turn in range(turns):
        following: List[List[bool]] = []
        for i in range(size):
            row: List[bool] = []
            for j in range(size):
                around = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if (di != 0 or dj != 0) and cells[(i + di) % size][(j + dj) % size]:
                            around += 1
                row.append(around == 3 or (around == 2 and cells[i][j]))
            following.append(row)
        cells = following
    alive = 0
    for row in cells:
        for each in row:
            if each:
                alive += 1
    return alive


def balanced(s: str) -> bool:
    depth: List[int] = []
    for c in s:
        if c == "(" or c == "[":
            depth.append(ord(c))
        elif c == ")":
            if len(depth) == 0 or depth.pop() != ord("("):
                return False
        elif c == "]":
            if len(depth) == 0 or depth.pop() != ord("["):
                return False
    return len(depth) == 0


def matches(text: str, pattern: str) -> List[int]:
    found: List[int] = []
    for i in range(len(text) - len(pattern) + 1):
        matches = True
        for j in range(len(pattern)):
            if text[i + j] != pattern[j]:
                matches = False
                break
        if matches:
            found.append(i)
    return found


def failure_table(pattern: str) -> List[int]:
    table = [0] * len(pattern)
    k = 0
    for i in range(1, len(pattern)):
        while k > 0 and pattern[k] != pattern[i]:
            k = table[k - 1]
        if pattern[k] == pattern[i]:
            k += 1
        table[i] = k
    return table


def parsed_numbers(s: str) -> List[int]:
    found: List[int] = []
    value = 0
    inside = False
    for c in s:
        if c >= "0" and c <= "9":
            value = value * 10 + (ord(c) - ord("0"))
            inside = True
        elif inside:
            found.append(value)
            value = 0
            inside = False
    if inside:
        found.append(value)
    return found


def moving_medians(xs: List[float], width: int) -> List[float]:
    result: List[float] = []
    for i in range(len(xs) - width + 1):
        part = sorted(xs[i:i + width])
        result.append(part[width // 2])
    return result


def convex_hull(points: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    ordered = sorted(points)
    lower: List[Tuple[int, int]] = []
    for p in ordered:
        while len(lower) >= 2:
            a = lower[-2]
            b = lower[-1]
            if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0:
                lower.pop()
            else:
                break
        lower.append(p)
    return lower


def distances_from(neighbours: List[List[Tuple[int, float]]], start: int) -> List[float]:
    distance = [float("inf")] * len(neighbours)
    done = [False] * len(neighbours)
    distance[start] = 0.0
    for _ in range(len(neighbours)):
        best = -1
        for i in range(len(neighbours)):
            if not done[i] and (best < 0 or distance[i] < distance[best]):
                best = i
        done[best] = True
        for other, weight in neighbours[best]:
            reached = distance[best] + weight
            if reached < distance[other]:
                distance[other] = reached
    return distance


def heap_push(heap: List[float], x: float) -> None:
    heap.append(x)
    i = len(heap) - 1
    while i > 0 and heap[(i - 1) // 2] > heap[i]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2


def heap_sort(xs: List[float]) -> List[float]:
    heap: List[float] = []
    for x in xs:
        heap_push(heap, x)
    result: List[float] = []
    while len(heap) > 0:
        result.append(heap[0])
        last = heap.pop()
        if len(heap) == 0:
            break
        heap[0] = last
        i = 0
        while 2 * i + 1 < len(heap):
            child = 2 * i + 1
            if child + 1 < len(heap) and heap[child + 1] < heap[child]:
                child += 1
            if heap[i] <= heap[child]:
                break
            heap[i], heap[child] = heap[child], heap[i]
            i = child
    return result


def beam_search(scores: List[List[float]], width: int) -> List[int]:
    beams: List[Tuple[float, List[int]]] = [(0.0, [0])]
    for row in scores:
        candidates: List[Tuple[float, List[int]]] = []
        for score, path in beams:
            for k in range(len(row)):
                candidates.append((score + row[k], path + [k]))
        kept: List[Tuple[float, List[int]]] = []
        for _ in range(min(width, len(candidates))):
            best = 0
            for c in range(1, len(candidates)):
                if candidates[c][0] > candidates[best][0]:
                    best = c
            kept.append(candidates.pop(best))
        beams = kept
    return beams[0][1]


def determinant(given: List[List[float]]) -> float:
    a: List[List[float]] = []
    for row in given:
        a.append(row[:])
    n = len(a)
    result = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i][k]) > abs(a[pivot][k]):
                pivot = i
        if a[pivot][k] == 0.0:
            return 0.0
        if pivot != k:
            a[pivot], a[k] = a[k], a[pivot]
            result = -result
        result *= a[k][k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= factor * a[k][j]
    return result


def run_lengths(xs: List[int]) -> List[Tuple[int, int]]:
    result: List[Tuple[int, int]] = []
    i = 0
    while i < len(xs):
        j = i
        while j < len(xs) and xs[j] == xs[i]:
            j += 1
        result.append((xs[i], j - i))
        i = j
    return result


def product_of_tensors(a: Tensor, b: Tensor, out: Tensor) -> Tensor:
    for i in range(a.size(0)):
        for j in range(b.size(1)):
            total = 0.0
            for k in range(a.size(1)):
                total += float(a[i, k]) * float(b[k, j])
            out[i, j] = total
    return out


def warping(a: Tensor, b: Tensor) -> float:
    table = torch.full((a.size(0) + 1, b.size(0) + 1), float("inf"))
    table[0, 0] = 0.0
    for i in range(a.size(0)):
        for j in range(b.size(0)):
            cost = abs(float(a[i]) - float(b[j]))
            best = min(float(table[i, j + 1]), float(table[i + 1, j]))
            table[i + 1, j + 1] = cost + min(best, float(table[i, j]))
    return float(table[-1, -1])


def viterbi(emissions: Tensor, transitions: Tensor) -> List[int]:
    steps = emissions.size(0)
    states = emissions.size(1)
    score = [float(emissions[0, s]) for s in range(states)]
    back: List[List[int]] = []
    for t in range(1, steps):
        following: List[float] = []
        came: List[int] = []
        for s in range(states):
            best = -1e30
            place = 0
            for before in range(states):
                reached = score[before] + transitions[before, s].item()
                if reached > best:
                    best = float(reached)
                    place = before
            following.append(best + float(emissions[t, s]))
            came.append(place)
        score = following
        back.append(came)
    state = 0
    for s in range(states):
        if score[s] > score[state]:
            state = s
    path = [state]
    for t in range(len(back) - 1, -1, -1):
        state = back[t][state]
        path.append(state)
    return path


def suppression(boxes: Tensor, scores: Tensor, limit: float) -> List[int]:
    order = torch.argsort(scores, descending=True)
    kept: List[int] = []
    for place in range(order.size(0)):
        i = int(order[place])
        keeps = True
        for j in kept:
            width = min(float(boxes[i, 2]), float(boxes[j, 2])) - max(float(boxes[i, 0]), float(boxes[j, 0]))
            height = min(float(boxes[i, 3]), float(boxes[j, 3])) - max(float(boxes[i, 1]), float(boxes[j, 1]))
            if width > 0.0 and height > 0.0:
                common = width * height
                one = (float(boxes[i, 2]) - float(boxes[i, 0])) * (float(boxes[i, 3]) - float(boxes[i, 1]))
                two = (float(boxes[j, 2]) - float(boxes[j, 0])) * (float(boxes[j, 3]) - float(boxes[j, 1]))
                if common / (one + two - common) > limit:
                    keeps = False
                    break
        if keeps:
            kept.append(i)
    return kept


def ctc(logits: Tensor, blank: int) -> List[int]:
    found: List[int] = []
    before = blank
    for t in range(logits.shape[0]):
        best = 0
        for s in range(1, logits.shape[1]):
            if logits[t, s] > logits[t, best]:
                best = s
        if best != blank and best != before:
            found.append(best)
        before = best
    return found


def convolution(x: Tensor, weight: Tensor, out: Tensor) -> Tensor:
    for i in range(out.size(0)):
        for j in range(out.size(1)):
            total = 0.0
            for di in range(weight.size(0)):
                for dj in range(weight.size(1)):
                    total += x[i + di][j + dj].item() * weight[di][dj].item()
            out[i][j] = total
    return out


def running_sum(x: Tensor, out: Tensor) -> Tensor:
    for row in range(x.size(0)):
        out[row, 0] = x[row, 0]
        for column in range(1, x.size(1)):
            out[row, column] = out[row, column - 1] + x[row, column]
    return out


def histogram(x: Tensor, bins: Tensor) -> Tensor:
    for i in range(len(x)):
        bins[int(x[i]) % bins.numel()] += 1
    return bins


def clusters(points: Tensor, centers: Tensor, labels: Tensor) -> float:
    total = 0.0
    for i in range(points.size(0)):
        best = 1e30
        for k in range(centers.size(0)):
            square = 0.0
            for d in range(points.size(1)):
                difference = float(points[i, d]) - float(centers[k, d])
                square += difference * difference
            if square < best:
                best = square
                labels[i] = k
        total += best
    return total


def relaxation(grid: Tensor, turns: int) -> Tensor:
    for turn in range(turns):
        for i in range(1, grid.size(0) - 1):
            for j in range(1, grid.size(1) - 1):
                grid[i, j] = (grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]) * 0.25
    return grid


@torch.jit.script
class Generator:
    def __init__(self, seed: int):
        self.state = seed

    def next(self) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407)
        return (self.state >> 33) & 0x7FFFFFFF


@torch.jit.script
class Stack:
    def __init__(self):
        self.items: List[int] = []

    def push(self, x: int) -> None:
        self.items.append(x)

    def pop(self) -> int:
        return self.items.pop()

    def size(self) -> int:
        return len(self.items)


@torch.jit.script
class Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y

    def moved(self, dx: int, dy: int) -> "Point":
        return Point(self.x + dx, self.y + dy)

    def norm(self) -> int:
        return abs(self.x) + abs(self.y)


def scalar_product(a: List[float], b: List[float]) -> float:
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total


def prefix_sums(values: List[int]) -> List[int]:
    out = [0]
    for v in values:
        out.append(out[-1] + v)
    return out


def merge_sort(values: List[int]) -> List[int]:
    n = len(values)
    a = values
    width = 1
    while width < n:
        b: List[int] = []
        i = 0
        while i < n:
            left = a[i:i + width]
            right = a[i + width:i + 2 * width]
            x = 0
            y = 0
            while x < len(left) and y < len(right):
                if left[x] <= right[y]:
                    b.append(left[x])
                    x += 1
                else:
                    b.append(right[y])
                    y += 1
            b += left[x:]
            b += right[y:]
            i += 2 * width
        a = b
        width *= 2
    return a


def chunks(values: List[int], size: int) -> List[List[int]]:
    return [values[i:i + size] for i in range(0, len(values), size)]


def rotated(values: List[int], times: int) -> List[int]:
    for i in range(times):
        values = values[1:] + values[:1]
    return values


def viterbi_of_lists(emissions: List[List[float]], transitions: List[List[float]]) -> List[int]:
    states = len(transitions)
    score = emissions[0]
    back: List[List[int]] = []
    for t in range(1, len(emissions)):
        new: List[float] = []
        pointers: List[int] = []
        for s in range(states):
            best = -1e30
            arg = 0
            for p in range(states):
                v = score[p] + transitions[p][s]
                if v > best:
                    best = v
                    arg = p
            new.append(best + emissions[t][s])
            pointers.append(arg)
        score = new
        back.append(pointers)
    last = 0
    for s in range(states):
        if score[s] > score[last]:
            last = s
    path = [last]
    for t in range(len(back) - 1, -1, -1):
        last = back[t][last]
        path.append(last)
    return path[::-1]


def life_of_lists(board: List[List[int]], turns: int) -> List[List[int]]:
    h = len(board)
    w = len(board[0])
    for t in range(turns):
        new: List[List[int]] = []
        for r in range(h):
            row: List[int] = []
            for c in range(w):
                n = 0
                for dr in [-1, 0, 1]:
                    for dc in [-1, 0, 1]:
                        if dr != 0 or dc != 0:
                            n += board[(r + dr) % h][(c + dc) % w]
                row.append(1 if n == 3 or (n == 2 and board[r][c] == 1) else 0)
            new.append(row)
        board = new
    return board


def area_by_chance(count: int) -> float:
    g = Generator(42)
    inside = 0
    for i in range(count):
        x = g.next() / 2147483648.0
        y = g.next() / 2147483648.0
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / count


def stack_machine(program: List[int]) -> int:
    s = Stack()
    for op in program:
        if op >= 0 or s.size() < 2:
            s.push(abs(op))
        else:
            b = s.pop()
            a = s.pop()
            if op == -1:
                s.push(a + b)
            elif op == -2:
                s.push(a - b)
            else:
                s.push((a * b) % 1000003)
    return s.pop()


def walk_of_objects(steps: int) -> int:
    p = Point(0, 0)
    far = 0
    state = 1
    for i in range(steps):
        state = (state * 75 + 74) % 65537
        if state % 2 == 0:
            p = p.moved(1, 0)
        else:
            p = p.moved(0, -1)
        far = max(far, p.norm())
    return far


def templates(names: List[str], count: int) -> List[str]:
    out: List[str] = []
    for i in range(count):
        out.append(f"{names[i % len(names)]}-{i}: {i * i}")
    return out


def padded(sequences: List[List[int]], width: int, pad: int) -> Tensor:
    rows: List[List[int]] = []
    for s in sequences:
        row = s[:width]
        while len(row) < width:
            row.append(pad)
        rows.append(row)
    return torch.tensor(rows)
