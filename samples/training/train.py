"""Trains a small network on the digits that scikit-learn ships, without PyTorch, and saves it for PyTorch.

    python samples/training/train.py digits.pt                  # the network of network.py
    python samples/training/train.py digits.pt --from my.pt     # one in an archive, of tsc or PyTorch
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from sklearn.datasets import load_digits

import tsc

SOURCE = Path(__file__).parent / "network.py"
BATCH = 50


def digits(library):
    """Images with their digits to train on, and each fifth to try the network with; `library` is tsc or torch."""
    data = load_digits()
    images = library.from_numpy((data.images[:, None] / 16).astype(np.float32))
    labels = library.from_numpy(data.target.astype(np.int64))
    tried = library.arange(len(labels)) % 5 == 0
    return (images[~tried], labels[~tried]), (images[tried], labels[tried])


def losses(library, network, data, epochs):
    """Train for some epochs: the loss of each step, when it is done."""
    images, labels = data
    optimizer = library.optim.AdamW(network.parameters(), lr=5e-3)
    network.train()
    for _ in range(epochs):
        for batch in library.randperm(len(labels)).split(BATCH):
            loss = library.nn.functional.cross_entropy(network(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            yield loss.item()


def accuracy(library, network, data):
    """The share of the images that are read as what they are."""
    images, labels = data
    network.eval()
    with library.no_grad():
        return (network.read(images) == labels).sum().item() / len(labels)


def begun(archive):
    """A network of the source file, or the one in an archive."""
    return tsc.compile_file(SOURCE).Network() if archive is None else tsc.load(archive)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("save_to", help="where the trained network goes")
    parser.add_argument("--from", dest="archive", help="an archive to begin with")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tsc.manual_seed(options.seed)
    network = begun(options.archive)
    training, trial = digits(tsc)
    steps = options.epochs * -(-len(training[1]) // BATCH)
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("loss -----", total=steps)
        for loss in losses(tsc, network, training, options.epochs):
            progress.update(task, advance=1, description=f"loss {loss:.3f}")
    network.save(options.save_to)
    print(f"{accuracy(tsc, network, trial):.1%} of {len(trial[1])} digits are read rightly: {options.save_to}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
