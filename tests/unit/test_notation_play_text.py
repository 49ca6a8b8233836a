"""How a written play is read and written."""

import pytest

from adjudicator.notation.play_text import format_play, parse_play
from adjudicator.rules.record import Movement


def _as_tuples(text: str) -> list[tuple[int, int, bool]]:
    return [(movement.source, movement.target, movement.hit) for movement in parse_play(text)]


@pytest.mark.parametrize("text", ["", "   ", "\t"])
def test_blank_text_is_a_play_of_nothing(text: str) -> None:
    assert parse_play(text) == ()


@pytest.mark.parametrize("text", ["25/22", "bar/22", "b/22", "Bar/22", "BAR/22"])
def test_the_bar_has_four_spellings(text: str) -> None:
    assert _as_tuples(text) == [(25, 22, False)]


@pytest.mark.parametrize("text", ["6/0", "6/off", "6/Off", "6/OFF"])
def test_bearing_off_has_three_spellings(text: str) -> None:
    assert _as_tuples(text) == [(6, 0, False)]


@pytest.mark.parametrize("text", ["8/7*(2)", "8/7(2)*", "8/7* 8/7", "8/7* (2)"])
def test_a_repeated_hit_is_one_hit(text: str) -> None:
    assert _as_tuples(text) == [(8, 7, True), (8, 7, False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24/18/13*", [(24, 18, False), (18, 13, True)]),
        ("24/18*/13", [(24, 18, True), (18, 13, False)]),
        ("bar/20*/15*", [(25, 20, True), (20, 15, True)]),
        ("13/7/1(2)", [(13, 7, False), (7, 1, False), (13, 7, False), (7, 1, False)]),
    ],
)
def test_a_chain_is_split_and_each_star_stays_at_its_point(
    text: str, expected: list[tuple[int, int, bool]]
) -> None:
    assert _as_tuples(text) == expected


def test_a_movement_of_several_dice_is_one_movement() -> None:
    assert _as_tuples("24/4 6/off(2)") == [(24, 4, False), (6, 0, False), (6, 0, False)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("13", "names no point to move to"),
        ("13/", "is no part of a play"),
        ("13/x", "there is no point 'x'"),
        ("26/20", "there is no point '26'"),
        ("013/8", "there is no point '013'"),
        ("8/13", "does not move downwards"),
        ("8/8", "does not move downwards"),
        ("off/3", "does not move downwards"),
        ("8/bar", "does not move downwards"),
        ("13*/8", "a star where nothing can be hit"),
        ("13/8**", "is no part of a play"),
        ("6/5(0)", "made 1 to 4 times, not 0"),
        ("6/5(5)", "made 1 to 4 times, not 5"),
        ("6/5(", "is no part of a play"),
        ("-6/5", "is no part of a play"),
        ("٣/1", "is no part of a play"),
    ],
)
def test_a_wrong_part_is_named_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r".+") as caught:
        parse_play(f"13/10 {text}")
    assert reason in str(caught.value)
    assert repr(text) in str(caught.value)


def test_a_very_long_part_is_shortened_in_the_message() -> None:
    with pytest.raises(ValueError, match="names no point to move to") as caught:
        parse_play("x" * 3000)
    assert len(str(caught.value)) < 120


def test_a_play_is_written_step_by_step_in_the_given_order() -> None:
    movements = (Movement(25, 20), Movement(6, 1, hit=True), Movement(1, 0))
    assert format_play(movements) == "bar/20 6/1* 1/off"
    assert format_play(movements[::-1]) == "1/off 6/1* bar/20"


def test_the_empty_play_is_written_as_nothing() -> None:
    assert format_play(()) == ""


def test_a_multiplicity_may_stand_off_but_not_alone() -> None:
    assert parse_play("8/5 (2)") == parse_play("8/5(2)")
    with pytest.raises(ValueError, match="is no part of a play"):
        parse_play("(2) 8/5")
