"""Makes digits.pt: a small network that reads digits, drawn with letters. It needs PyTorch; to use digits.pt nothing does.

    python samples/archives/digits.py samples/archives/digits.pt
"""

import sys
from typing import List, Tuple

import torch
from torch import nn

FONT = """
 ###    #    ###   ###     #  #####  ###  #####  ###   ### 
#   #  ##   #   # #   #   ##  #     #         # #   # #   #
#  ##   #       #     #  # #  #     #        #  #   # #   #
# # #   #      #    ##  #  #  ####  ####    #    ###   ####
##  #   #     #       # #####     # #   #  #    #   #     #
#   #   #    #    #   #    #  #   # #   #  #    #   #     #
 ###   ###  #####  ###     #   ###   ###   #     ###   ### 
"""  # noqa: W291


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.ReLU(),
        )
        self.classifier = nn.Linear(16 * 4 * 4, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Log-probabilities of the ten digits, of images of 8 by 8."""
        return torch.log_softmax(self.classifier(self.features(images).flatten(1)), dim=1)

    @torch.jit.export
    def image(self, rows: List[str]) -> torch.Tensor:
        """A drawing as an image of 8 by 8: what is no blank is ink."""
        image = torch.zeros(1, 1, 8, 8)
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if y < 8 and x < 8 and letter != " ":
                    image[0, 0, y, x] = 1.0
        return image

    @torch.jit.export
    def read(self, rows: List[str]) -> Tuple[int, float]:
        """The digit that a drawing shows, and how likely it is."""
        probabilities = self.forward(self.image(rows)).exp()[0]
        digit = int(probabilities.argmax())
        return digit, float(probabilities[digit])


def glyphs() -> torch.Tensor:
    lines = FONT.strip("\n").split("\n")
    rows = [[[float(line[6 * d + x : 6 * d + x + 1] == "#") for x in range(5)] for line in lines] for d in range(10)]
    return torch.tensor(rows)


def batch(shapes: torch.Tensor, count: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Digits somewhere in their images, with some dots too many or too few."""
    labels = torch.randint(10, (count,))
    images = torch.zeros(count, 1, 8, 8)
    for image, label in zip(images, labels):
        y, x = int(torch.randint(2, ())), int(torch.randint(4, ()))
        image[0, y : y + 7, x : x + 5] = shapes[label]
    flips = torch.rand_like(images) < 0.03
    return (images - flips.float()).abs(), labels


def main(path: str) -> None:
    torch.manual_seed(0)
    model, shapes = Digits(), glyphs()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(500):
        images, labels = batch(shapes, 64)
        optimizer.zero_grad()
        nn.functional.nll_loss(model(images), labels).backward()
        optimizer.step()
    model.eval()
    images, labels = batch(shapes, 2000)
    print("right:", float((model(images).argmax(1) == labels).float().mean()))
    torch.jit.script(model).save(path)


if __name__ == "__main__":
    main(sys.argv[1])
