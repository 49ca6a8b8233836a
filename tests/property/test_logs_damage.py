"""Whatever happens to a clean log on its way is said, or leaves another log without fault.

For each damage that is known (``tests.damages``) the reader gives an error or a remark of its own, with the
place. Where it says nothing, a strict reader and judge that shares no code with it
(``tests.twins.match_twin``) finds the damaged log without fault, and reads the same dice from it.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import NOWHERE, AdjudicatorError, Place
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.recorded import recorded_result
from adjudicator.happy_end.ruleset import Finish
from adjudicator.logs import conversion
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.record import Action, GameRecord
from adjudicator.rules.remarks import Remark
from adjudicator.rules.replay import Ending, replay
from adjudicator.rules.score import GameTerms, Score
from adjudicator.rules.terms import check_scores, terms_of_games
from adjudicator.service.self_play import Habits, simulate_match
from tests.damages import MAT, MAT_COSMETIC, RECORD, RECORD_COSMETIC, Damage
from tests.twins.match_twin import ToldMatch, find_fault, parse_mat, parse_record

SEEDS = (28, 145, 173, 363, 380)
"""Short matches of three games or four, with doubles, drops, resignations, gammons and games played out."""
HASTY = Habits(resigns_below=0.1)
"""The scripted engine is never quite sure that a game is lost."""


class Outcome(Enum):
    """What became of a damaged log."""

    ERROR = "error"
    REMARK = "remark"
    FAULTLESS = "faultless"


class Form(NamedTuple):
    """A format that is written, how the twin reads it, and what may happen to it."""

    write: Callable[[MatchLog], bytes]
    parse: Callable[[str], ToldMatch]
    damages: Mapping[str, Damage]
    cosmetic: Mapping[str, Damage]


def _parse_record_text(text: str) -> ToldMatch:
    return parse_record(json.loads(text))


FORMS = {
    "mat": Form(conversion.TARGETS["mat"].write, parse_mat, MAT, MAT_COSMETIC),
    "json": Form(conversion.TARGETS["json"].write, _parse_record_text, RECORD, RECORD_COSMETIC),
}

ATTEMPTS = 12

SILENT = {
    ("mat", "drop a line"): "a comment, or the last row: it only tells how the game ended",
    ("mat", "double a line"): "a result that is written twice says nothing new",
    ("mat", "swap two lines"): "a row and a blank line, or the result and the row before it",
    ("mat", "drop a row"): "the last: it only tells how the game ended",
    ("mat", "swap the columns of a row"): "both plays are legal for either side",
    ("mat", "change a die"): "no play was possible, and none is with the other die",
    ("mat", "add a star"): "the same hit is marked twice",
    ("mat", "delete a star"): "the only one: the log marks no hits then",
    ("mat", "drop a game"): "the last: the match was not finished then",
    ("json", "drop a line"): "a key that may be left out, or an action as below",
    ("json", "swap two lines"): "keys in another order, or actions as below",
    ("json", "drop an action"): "the resignation or the drop: a result tells the same",
    ("json", "swap two actions"): "the two last of a game, or plays legal in either order",
    ("json", "change a die"): "no play was possible, and none is with the other die",
    ("json", "add a star"): "the same hit is marked twice",
    ("json", "delete a star"): "the only one: the log marks no hits then",
    ("json", "drop a game"): "the last: the match was not finished then",
}
"""The damages that can leave a log without fault, so that nothing can be said, and how."""


each_damage = pytest.mark.parametrize(
    ("form", "name"), [(form, name) for form in FORMS for name in FORMS[form].damages]
)
each_cosmetic = pytest.mark.parametrize(
    ("form", "name"), [(form, name) for form in FORMS for name in FORMS[form].cosmetic]
)


@cache
def clean_log(seed: int) -> MatchLog:
    """A whole match by players who double and resign."""
    log = simulate_match(ScriptedEngine(), match_length=3, seed=seed, habits=HASTY)
    return replace(log, metadata={})


@cache
def clean_text(form: str, seed: int) -> str:
    """The match as it is written."""
    return FORMS[form].write(clean_log(seed)).decode()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_clean_log_is_without_remark_and_without_fault(form: str, seed: int) -> None:
    text = clean_text(form, seed)
    assert said_of(read_log(text.encode())) == []
    assert find_fault(FORMS[form].parse(text)) == ""


def test_the_clean_logs_hold_games_of_every_end() -> None:
    endings = {
        replay(game, log.variant, GameTerms(log.match_length, game.score or Score())).ending
        for log in map(clean_log, SEEDS)
        for game in log.games
    }
    assert endings == {Ending.BEAR_OFF, Ending.DROP, Ending.RESIGNATION}


def said_of(log: MatchLog) -> list[tuple[str, Place]]:
    """All that is remarked on a log by reader, replay and adjudication, and where games break off."""
    remarks: list[Remark] = [*log.remarks, *check_scores(log.games)]
    said: list[tuple[str, Place]] = []
    legal_by = (ordinary_steps, modifier_steps(Finish.EXACT))
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    for game, game_terms in zip(log.games, terms, strict=True):
        replayed = replay(game, log.variant, game_terms, legal_by=legal_by)
        remarks += [*game.remarks, *replayed.remarks, *recorded_result(replayed).remarks]
        if game.broken is not None:
            said.append((game.broken.reason, game.broken.place))
    return said + [(remark.code.value, remark.place) for remark in remarks]


def has_place(place: Place) -> bool:
    return place.line is not None or place.pointer is not None


def outcome_of(form: Form, damaged: str) -> Outcome:
    """Hold a damaged log to the law; what became of it."""
    try:
        log = read_log(damaged.encode())
    except AdjudicatorError as error:
        _require_place(error)
        return Outcome.ERROR
    said = said_of(log)
    if said:
        assert any(has_place(place) for _, place in said), said
        return Outcome.REMARK
    told = form.parse(damaged)
    assert find_fault(told) == ""
    assert [dice_of(game) for game in log.games] == [
        [act.dice for act in game.acts if act.what == "roll"] for game in told.games
    ]
    return Outcome.FAULTLESS


def dice_of(game: GameRecord) -> list[tuple[int, int]]:
    return [(roll.dice.first, roll.dice.second) for roll in game.rolls]


def _require_place(error: AdjudicatorError) -> None:
    """An error says where, but for what is not there at all: no head, no game, nothing."""
    is_missing = re.search("no line that gives|no game|is empty|not a match log", error.detail)
    assert is_missing or any(has_place(fault.place) for fault in error.faults)


def damaged_text(form: str, name: str, seed: int, chance: random.Random) -> str | None:
    """A damaged log, ``None`` where the damage changed nothing."""
    text = clean_text(form, seed)
    damaged = FORMS[form].damages[name](text, chance)
    return None if damaged == text else damaged


@each_damage
@settings(max_examples=8)
@given(seed=st.sampled_from(SEEDS), chance=st.randoms(use_true_random=False))
def test_a_damage_is_said_or_leaves_a_log_without_fault(
    form: str, name: str, seed: int, chance: random.Random
) -> None:
    damaged = damaged_text(form, name, seed, chance)
    if damaged is not None:
        outcome_of(FORMS[form], damaged)


@each_damage
def test_silence_about_a_damage_is_rare_and_known(form: str, name: str) -> None:
    """The same damages every time, so that what is said more or less often shows."""
    found = Counter[Outcome]()
    for attempt in range(ATTEMPTS):
        damaged = damaged_text(form, name, SEEDS[attempt % len(SEEDS)], random.Random(f"{name} {attempt}"))
        if damaged is not None:
            found[outcome_of(FORMS[form], damaged)] += 1
    assert found.total() > ATTEMPTS // 2
    most = found.total() // 2 if (form, name) in SILENT else 0
    assert found[Outcome.FAULTLESS] <= most


@each_cosmetic
@settings(max_examples=8)
@given(seed=st.sampled_from(SEEDS), chance=st.randoms(use_true_random=False))
def test_what_changes_no_word_changes_nothing_in_silence(
    form: str, name: str, seed: int, chance: random.Random
) -> None:
    changed = FORMS[form].cosmetic[name](clean_text(form, seed), chance)
    assert changed is not None
    log = read_log(changed.encode())
    assert said_of(log) or _told(log) == _told(read_log(clean_text(form, seed).encode()))


def _told(log: MatchLog) -> list[object]:
    """What a log tells of its games, wherever that stands."""
    return [
        (
            game.number,
            game.score,
            game.result and replace(game.result, place=NOWHERE),
            list(map(_bare, game.actions)),
        )
        for game in log.games
    ]


def _bare(action: Action) -> Action:
    return action._replace(place=NOWHERE)
