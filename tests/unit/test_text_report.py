from copy import deepcopy
from typing import Any

from adjudicator.reports.text import format_report

PLAYOUT: dict[str, Any] = {
    "last_roll": [6, 2],
    "roll_number": 8,
    "rolls_in_game": 10,
    "series": [[3, 1], [6, 4], [5, 5], [2, 1], [6, 5], [4, 3], [1, 1], [5, 1], [6, 6], [6, 2]],
    "start": {
        "turn": 10,
        "side": "black",
        "point": 1,
        "mid_turn": True,
        "on_roll": "white",
        "series_roll": 8,
        "checkers": {"white": {"1": 1, "6": 1}, "black": {"1": 1}},
        "cube": {"value": 2, "owner": "black"},
        "position_id": "position-id",
        "xgid": "XGID=xgid",
    },
    "chances": {
        "white": {"win": 0.43, "win_gammon": 0.0, "win_backgammon": 0.0},
        "black": {"win": 0.57, "win_gammon": 0.0, "win_backgammon": 0.0},
    },
    "winner_forced": False,
    "hinges": [
        {"turn": 1, "alternative": "6/5 5/off", "measure": "modifier", "lead": 0.09, "close": False},
        {"turn": 3, "alternative": "2/off", "measure": None, "lead": None, "close": False},
    ],
    "turns": [
        {
            "side": "white",
            "series_roll": 8,
            "dice": [5, 1],
            "play": "6/1 1/off",
            "choice": "tie_break",
            "position_id": "after",
            "xgid": "XGID=after",
            "candidates": [
                {"play": "6/1 1/off", "equity": -1.0, "modifier_equity": -0.61},
                {"play": "6/5 5/off", "equity": -1.0, "modifier_equity": -0.7},
            ],
        },
        {
            "side": "black",
            "series_roll": 9,
            "dice": [6, 6],
            "play": "",
            "choice": "none",
            "position_id": "after",
            "xgid": "XGID=after",
            "candidates": [],
        },
    ],
}
GAME: dict[str, Any] = {
    "game": 1,
    "status": "played_out",
    "clause": "HE-2.2",
    "changed": True,
    "points_changed": False,
    "rolls": 10,
    "score": {"white": 2, "black": 1},
    "recorded": {"winner": "black", "points": 2, "ending": "bear_off"},
    "adjudicated": {"winner": "white", "win": "single", "points": 2},
    "playout": PLAYOUT,
    "remarks": [{"code": "play_supplied", "turn": 4, "detail": "nothing written, one play legal", "line": 9}],
}
RESULT: dict[str, Any] = {
    "schema": "adjudication/1",
    "id": "a-id",
    "status": "done",
    "match": {
        "id": "m-id",
        "sha256": "digest",
        "format": "jellyfish_mat",
        "variant": "backgammon",
        "match_length": 5,
        "players": {"white": "Anna", "black": "Boris"},
    },
    "ruleset": {"name": "happy-end", "version": 1, "finish": "exact", "numbering": "roll"},
    "engine": {"name": "gnubg-nn", "version": "1", "settings": {"plies": 0}},
    "games": [GAME],
    "match_result": {
        "recorded": {
            "winner": None,
            "score": {"white": 2, "black": 3},
            "surplus_games": [],
            "not_counted": [],
        },
        "adjudicated": {
            "winner": None,
            "score": {"white": 4, "black": 1},
            "surplus_games": [],
            "not_counted": [],
        },
        "changed": False,
        "points_changed": True,
    },
    "remarks": [],
}


def _report(**changes: Any) -> str:
    return format_report(RESULT | changes)


def _report_on_game(**changes: Any) -> str:
    return _report(games=[GAME | changes])


def test_the_heading_names_everything_the_result_depends_on() -> None:
    head = _report().split("\n\n")[0]
    for part in (
        "m-id",
        "SHA-256 digest",
        "happy-end 1: finish exact, numbering roll",
        "gnubg-nn 1: plies 0",
    ):
        assert part in head


def test_the_roll_the_series_starts_with_is_marked_and_no_other() -> None:
    lines = [line for line in _report().splitlines() if "<" in line]
    assert lines == [
        "    1  3-1     2  6-4     3  5-5     4  2-1     5  6-5     6  4-3     7  1-1     8 <5-1>"
    ]


def test_the_position_is_drawn_with_its_cube() -> None:
    text = _report()
    assert "Last checker: black on point 1, within turn 10 (HE-5)" in text
    assert "  O white, borne off 13; X black, borne off 14\n  Cube 2, owned by black\n" in text


def test_every_turn_shows_what_it_was_chosen_from() -> None:
    lines = _report().splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("  1. "))
    assert lines[first] == (
        "  1. white uses roll 8, 5-1: 6/1 1/off (equal for the engine, best under the modifier (HE-7.3))"
    )
    assert lines[first + 2].split() == ["*", "6/1", "1/off", "engine", "-1.000000", "modifier", "-0.610000"]
    assert lines[first + 3].split() == ["6/5", "5/off", "engine", "-1.000000", "modifier", "-0.700000"]
    assert lines[first + 4] == "  2. black uses roll 9, 6-6: - (no play possible, the turn passes)"


def test_a_forced_winner_is_said_only_where_it_is_proved() -> None:
    forced = deepcopy(PLAYOUT) | {"winner_forced": True}
    assert "The end is forced" in _report_on_game(playout=forced)
    assert "The end is forced" not in _report()
    unknown = _report_on_game(playout=deepcopy(PLAYOUT) | {"winner_forced": None, "hinges": []})
    assert "The end is forced" not in unknown
    assert "Whether the end hangs on a choice is not known" in unknown


def test_the_turns_on_which_the_end_hung_are_named() -> None:
    lines = _report().splitlines()
    text = "The end hung on turn 1: 6/5 5/off may end otherwise, behind by 0.090000 for the modifier."
    assert text in lines
    assert "The end hung on turn 3: 2/off may end otherwise." in lines


CROSS_CHECK = {"name": "other", "version": "2", "settings": {"plies": 1}}


def test_the_engines_asked_besides_are_named_with_their_equities_and_plays() -> None:
    playout = deepcopy(PLAYOUT)
    turn = playout["turns"][0]
    turn["cross_choices"] = {"other": "6/5 5/off", "third": "6/1 1/off"}
    for candidate, equity in zip(turn["candidates"], (-0.5, 0.25), strict=True):
        candidate["cross_equities"] = {"other": equity, "third": -equity}
    lines = _report(
        games=[GAME | {"playout": playout}], engine=RESULT["engine"] | {"cross_checks": [CROSS_CHECK]}
    ).splitlines()
    assert "Besides  other 2: plies 1 (decides nothing, HE-7.7)" in lines
    first = next(index for index, line in enumerate(lines) if line.startswith("  1. "))
    assert lines[first + 2].endswith("modifier -0.610000  besides other -0.500000  besides third +0.500000")
    assert lines[first + 3].endswith("modifier -0.700000  besides other +0.250000  besides third -0.250000")
    assert lines[first + 4 : first + 6] == [
        "     other, asked besides, would play 6/5 5/off",
        "     third, asked besides, would play 6/1 1/off",
    ]


def test_where_no_engine_was_asked_besides_none_is_spoken_of() -> None:
    assert "esides" not in _report()


def test_he_8_1_games_that_do_not_count_are_listed() -> None:
    recorded = RESULT["match_result"]["recorded"] | {"surplus_games": [7, 8]}
    adjudicated = RESULT["match_result"]["adjudicated"] | {"not_counted": [3], "surplus_games": [8]}
    changed = RESULT["match_result"] | {"recorded": recorded, "adjudicated": adjudicated}
    lines = [line.strip() for line in _report(match_result=changed).splitlines()]
    start = next(index for index, line in enumerate(lines) if line.startswith("Recorded: "))
    assert lines[start + 1] == "not counted, played after the match was won: games 7, 8 (HE-8.1)"
    assert lines[start + 3 : start + 5] == [
        "not counted, unreadable or without result: game 3 (HE-8.1)",
        "not counted, played after the match was won: game 8 (HE-8.1)",
    ]


def test_dice_stand_in_the_order_in_which_they_are_written() -> None:
    playout = deepcopy(PLAYOUT) | {"last_roll": [2, 6]}
    assert "Last roll 2-6: roll number 8 (HE-3)" in _report_on_game(playout=playout)


def test_the_chance_to_win_with_fresh_dice_is_told() -> None:
    assert "Chance to win from here with fresh dice: white 43.0%, black 57.0%" in _report()


def test_remarks_tell_their_place() -> None:
    assert "Remark play_supplied (line 9, turn 4): nothing written, one play legal" in _report()


def test_a_game_that_cannot_be_followed_tells_where_and_why() -> None:
    unreadable = GAME | {"status": "unreadable", "clause": None, "adjudicated": None}
    del unreadable["playout"]
    text = _report(games=[unreadable | {"unreadable": {"reason": "no checker there", "turn": 3}}])
    assert "Game 1: unreadable\n" in text
    assert "Adjudicated: no result" in text
    assert "Cannot be followed from here (turn 3): no checker there" in text


def test_text_from_a_record_stays_on_its_line_and_steers_no_terminal() -> None:
    match = RESULT["match"] | {"players": {"white": "A\nGame 9: forged", "black": "\x1b[2J"}}
    text = _report(match=match)
    assert "\nGame 9" not in text
    assert "\x1b" not in text
