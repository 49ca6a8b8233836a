"""Fits a small net to chances: least squares by Adam, in single precision.

Inputs are centred and scaled by what the first lesson holds, which is folded into the weights in the end.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.values.chances import Chances, Floats, Mask, Places
from adjudicator.happy_end.values.net import BEND, WEIGHT_UNIT

OUTPUTS = 3
BATCH = 512
DECAYS = (0.9, 0.999)
LEAST_SPREAD = 0.1
"""Inputs that hardly ever vary are not blown up any further."""

LEAST_PULL = np.float32(0.05)
"""Where a chance is all but none its time would hardly be corrected: this is added."""

Array = NDArray[np.float32]


class Lesson(NamedTuple):
    """Positions as a net is shown them, and the chances to be learned; the flags are those of ``told``."""

    inputs: Array
    wanted: Array
    first_is_off: Mask
    is_escaped: Mask

    @classmethod
    def of(cls, inputs: Floats, chances: Chances, first_is_off: Mask, is_escaped: Mask) -> "Lesson":
        """Positions with these inputs and chances."""
        wanted = np.stack(chances, axis=1).astype(np.float32)
        return cls(inputs.astype(np.float32), wanted, first_is_off, is_escaped)

    @classmethod
    def joined(cls, lessons: "Sequence[Lesson]") -> "Lesson":
        """All of these as one."""
        return cls(*[np.concatenate(arrays) for arrays in zip(*lessons, strict=True)])

    def taken(self, rows: Places) -> "Lesson":
        """Some of the positions."""
        return Lesson(self.inputs[rows], self.wanted[rows], self.first_is_off[rows], self.is_escaped[rows])


class Learner:
    """A net that learns; ``widths`` are the units of each hidden layer."""

    def __init__(self, inputs: int, widths: Sequence[int], seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._centre, self._spread = np.zeros(inputs, dtype=np.float32), np.ones(inputs, dtype=np.float32)
        self._has_seen = False
        sizes = [inputs, *widths, OUTPUTS]
        self._parameters: list[Array] = []
        for before, after in pairwise(sizes):
            weights = self._rng.normal(0.0, np.sqrt(2.0 / before), (before, after))
            self._parameters += [weights.astype(np.float32), np.zeros(after, dtype=np.float32)]
        self._means = [np.zeros_like(array) for array in self._parameters]
        self._squares = [np.zeros_like(array) for array in self._parameters]
        self._steps = 0

    def outputs(self, inputs: Floats) -> Floats:
        weights, biases, *others = self._parameters
        folded = weights / self._spread[:, None]
        layers = [folded, biases - self._centre @ folded, *others]
        return _forward(inputs.astype(np.float32), layers)[-1].astype(np.float64)

    def fit(self, lessons: Sequence[Lesson], steps: int, rates: tuple[float, float]) -> float:
        """So many batches, from the first to the last of the ``rates``; the mean error in points at last."""
        lesson = Lesson.joined(lessons)
        if not self._has_seen:
            self._centre, self._has_seen = lesson.inputs.mean(axis=0), True
            self._spread = np.maximum(lesson.inputs.std(axis=0), np.float32(LEAST_SPREAD))
        errors = []
        for step in range(steps):
            rows = self._rng.integers(len(lesson.inputs), size=BATCH)
            rate = rates[0] * (rates[1] / rates[0]) ** (step / steps)
            errors.append(self._step(lesson.taken(rows), rate))
        return float(np.mean(errors[-400:]))

    def _step(self, lesson: Lesson, rate: float) -> float:
        first_is_off, is_escaped = lesson.first_is_off, lesson.is_escaped
        layers = _forward((lesson.inputs - self._centre) / self._spread, self._parameters)
        out = layers[-1]
        root = np.sqrt(out * out + np.float32(BEND))
        times, slopes = (out + root) / 2, (1 + out / root) / 2
        escape = np.where(first_is_off | is_escaped, 0, times[:, 0])
        first = np.where(first_is_off, 0, escape + times[:, 1])
        chances = np.exp(-np.stack([times[:, 2], first, escape], axis=1))
        errors = chances - lesson.wanted
        by_time = -errors * (chances + LEAST_PULL) * np.array([4, 1, 1], dtype=np.float32)
        by_time[first_is_off, 1:] = 0
        by_time[is_escaped, 2] = 0
        gradient = np.stack(
            [np.where(is_escaped, 0, by_time[:, 1] + by_time[:, 2]), by_time[:, 1], by_time[:, 0]], axis=1
        )
        self._descend(layers, gradient * slopes * (2 / len(out)), rate)
        return float(np.abs(errors @ np.array([2, 1, 1], dtype=np.float32)).mean())

    def _descend(self, layers: list[Array], gradient: Array, rate: float) -> None:
        self._steps += 1
        gradients: list[Array] = []
        for number in range(len(self._parameters) - 2, -1, -2):
            below = layers[number // 2]
            gradients = [below.T @ gradient, gradient.sum(axis=0), *gradients]
            if number:
                gradient = (gradient @ self._parameters[number].T) * (1 - np.abs(below)) ** 2
        first, second = DECAYS
        scale = np.float32(rate * np.sqrt(1 - second**self._steps) / (1 - first**self._steps))
        for number, slope in enumerate(gradients):
            mean, square = self._means[number], self._squares[number]
            np.add(mean, np.float32(1 - first) * (slope - mean), out=mean)
            np.add(square, np.float32(1 - second) * (slope * slope - square), out=square)
            self._parameters[number] -= scale * mean / (np.sqrt(square) + np.float32(1e-8))

    def save(self, path: Path) -> None:
        """Keep the weights as whole multiples of ``WEIGHT_UNIT``."""
        first, biases, *others = [array.astype(np.float64) for array in self._parameters]
        first = first / self._spread[:, None]
        folded = [first, biases - self._centre @ first, *others]
        whole = [np.rint(array / WEIGHT_UNIT).astype(int).tolist() for array in folded]
        layers = [
            {"weights": weights, "biases": biases}
            for weights, biases in zip(whole[::2], whole[1::2], strict=True)
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"layers": layers}, separators=(",", ":")) + "\n", "utf-8")


def _forward(inputs: Array, parameters: Sequence[Array]) -> list[Array]:
    """The units of every layer, the inputs first; ``parameters`` are weights and biases in turn."""
    layers = [inputs]
    for weights, biases in zip(parameters[::2], parameters[1::2], strict=True):
        sums = layers[-1] @ weights + biases
        is_last = len(layers) == len(parameters) // 2
        layers.append(sums if is_last else sums / (1 + np.abs(sums)))
    return layers
