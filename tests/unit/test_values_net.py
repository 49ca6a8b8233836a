"""The nets answer what exact arithmetic answers, bit for bit, and their weights leave room for that."""

import json
import math
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Floats, Rows
from adjudicator.happy_end.values.features import LONGEST, contact_inputs, race_inputs
from adjudicator.happy_end.values.net import GRID, WEIGHT_UNIT, decayed, load_net, positive
from adjudicator.rules.board import BAR

NETS = [(name, finish) for name in ("race", "contact") for finish in Finish]
EXACTLY = 2**53
"""Whole numbers up to here are floats of their own."""


def layers_of(name: str, finish: Finish) -> list[dict[str, Any]]:
    file = resources.files("adjudicator.happy_end.values").joinpath("weights", f"{name}-{finish.value}.json")
    loaded: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["layers"]
    return loaded


def boards(count: int) -> Rows:
    rng = np.random.default_rng(3)
    points = rng.integers(0, BAR + 1, (count, 15))
    rows: Rows = (points[:, :, None] == np.arange(BAR + 1)).sum(axis=1, dtype=np.int8)
    return rows


def inputs_of(name: str, count: int) -> Floats:
    rows, rng = boards(count), np.random.default_rng(4)
    if name == "race":
        return race_inputs(rows)
    lasts, times = rng.integers(1, BAR + 1, count), rng.exponential(4.0, (count, 3))
    assert times.max() > LONGEST
    return contact_inputs(rows, lasts, times)


def worked_out(layers: list[dict[str, Any]], inputs: list[float]) -> list[float]:
    """The outputs by fractions; only what is rounded in the net is rounded here."""
    values = [Fraction(value) for value in inputs]
    for number, layer in enumerate(layers):
        columns = list(zip(*layer["weights"], strict=True))
        sums = [
            sum((value * weight for value, weight in zip(values, column, strict=True)), Fraction(bias))
            * Fraction(WEIGHT_UNIT)
            for column, bias in zip(columns, layer["biases"], strict=True)
        ]
        if number + 1 == len(layers):
            return [float(total) for total in sums]
        units = [float(total) / (1.0 + abs(float(total))) for total in sums]
        values = [Fraction(round(unit * GRID), int(GRID)) for unit in units]
    raise AssertionError("a net without layers")


@pytest.mark.parametrize(("name", "finish"), NETS)
def test_a_net_answers_what_fractions_answer(name: str, finish: Finish) -> None:
    inputs = inputs_of(name, 40)[-8:]
    outputs = load_net(name, finish).outputs(inputs)
    assert outputs.tolist() == [worked_out(layers_of(name, finish), row) for row in inputs.tolist()]


@pytest.mark.parametrize(("name", "finish"), NETS)
def test_no_sum_of_a_net_can_need_more_digits_than_a_float_has(name: str, finish: Finish) -> None:
    inputs = inputs_of(name, 500)
    assert np.array_equal(inputs * GRID, np.rint(inputs * GRID))
    largest = np.full(inputs.shape[1], 25 * 15 / 8) * GRID
    assert (inputs * GRID <= largest).all()
    for layer in layers_of(name, finish):
        sums = largest @ np.abs(np.array(layer["weights"], dtype=np.float64))
        assert sums.max() + GRID * np.abs(layer["biases"]).max() < EXACTLY
        largest = np.full(len(layer["biases"]), GRID)


def test_decay_is_that_of_the_exponential_function() -> None:
    times = np.linspace(0.0, 30.0, 301)
    assert decayed(times) == pytest.approx([math.exp(-time) for time in times], rel=1e-8)


def test_times_are_never_negative_and_rise_with_the_output() -> None:
    times = positive(np.linspace(-1000.0, 1000.0, 2001))
    assert (times >= 0.0).all()
    assert (np.diff(times) > 0.0).all()
