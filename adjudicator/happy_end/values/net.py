"""A small trained net whose answers are the same on every processor and in every batch.

Sums of floating-point numbers depend on their order, which libraries choose by batch and processor. Here no
sum is ever rounded: inputs, weights and activations are whole multiples of powers of two, small enough that
64-bit floats hold every sum exactly. What rounds is elementwise: additions, multiplications, divisions and
square roots, which IEEE 754 defines to the last bit.
"""

import json
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple, Protocol

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Floats

WEIGHT_UNIT = 2.0**-16
"""Weights are whole multiples of this, and smaller than 2**8."""

GRID = 2.0**14
"""Inputs and activations are whole multiples of one part of this; activations are smaller than 1."""

BEND = 2.0**-6
"""How gently ``positive`` bends at 0, where it is half the root of this."""


class Learned(Protocol):
    """What turns the inputs of positions, a row each, into outputs, a row each."""

    def outputs(self, inputs: Floats) -> Floats:
        """The outputs of each row."""


class Layer(NamedTuple):
    """The weights between two layers (inputs by outputs) and the biases of the second."""

    weights: Floats
    biases: Floats


class Net:
    """A net of fully connected layers with s / (1 + |s|) of the sums between."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers

    def outputs(self, inputs: Floats) -> Floats:
        """The outputs of each row of inputs, which are multiples of ``1 / GRID``."""
        *hidden, last = self._layers
        values = inputs
        for layer in hidden:
            sums = values @ layer.weights + layer.biases
            values = np.rint(sums / (1.0 + np.abs(sums)) * GRID) / GRID
        answers: Floats = values @ last.weights + last.biases
        return answers


def load_net(name: str, finish: Finish) -> Net:
    """The trained net of that name and finish, from the weights that come with the package."""
    file = resources.files(__package__).joinpath("weights", f"{name}-{finish.value}.json")
    layers = json.loads(file.read_text("utf-8"))["layers"]
    return Net([_layer(layer["weights"], layer["biases"]) for layer in layers])


def _layer(weights: list[list[int]], biases: list[int]) -> Layer:
    return Layer(np.array(weights) * WEIGHT_UNIT, np.array(biases) * WEIGHT_UNIT)


def positive(outputs: Floats) -> Floats:
    """A smooth way from any number to one that is not negative: 0 far below, the number itself far above."""
    return 0.5 * (outputs + np.sqrt(outputs * outputs + BEND))


def decayed(times: Floats) -> Floats:
    """E to the power of minus each time, to ten digits.

    ``np.exp`` differs between platforms in the last bits; additions and multiplications do not.

    >>> [round(float(chance), 9) for chance in decayed(np.array([0.0, 1.0, 5.0]))]
    [1.0, 0.367879441, 0.006737947]
    """
    part = np.minimum(times, 64.0) / -4096.0
    power = 1.0 + part * (1.0 + part / 2.0 * (1.0 + part / 3.0 * (1.0 + part / 4.0)))
    for _ in range(12):
        power = power * power
    return power
