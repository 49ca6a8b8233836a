"""The facts of a game in the words of the shared data, taken from a result."""

from typing import Any

Json = dict[str, Any]

SIDES = ("white", "black")


def facts_of(game: Json, checkers_per_side: int = 15) -> Json:
    """All facts of a result's game that the shared data may state; a fact that does not apply is left out."""
    facts: Json = {"game": game["game"], "status": game["status"], "rolls": game["rolls"]}
    facts["recorded"] = _winner_and(game["recorded"], "points")
    facts["adjudicated"] = _winner_and(game["adjudicated"], "points")
    if game["status"] in ("stands", "no_result"):
        facts["why"] = "exact in the same turn" if game["clause"] == "HE-5.2" else "no last checker"
    if game["status"] == "unreadable":
        facts["turn"] = game["unreadable"]["turn"]
    if playout := game.get("playout"):
        facts |= _playout_facts(playout, checkers_per_side)
    return facts


def _winner_and(result: Json | None, *keys: str) -> Json | None:
    if result is None:
        return None
    return {"side": SIDES.index(result["winner"])} | {key: result[key] for key in keys}


def _playout_facts(playout: Json, checkers_per_side: int) -> Json:
    start, cube = playout["start"], playout["start"]["cube"]
    opponent = start["checkers"][SIDES[1 - SIDES.index(start["side"])]]
    return {
        "last_roll": playout["last_roll"],
        "roll_number": playout["roll_number"],
        "series_start_roll": start["series_roll"],
        "first_dice": playout["turns"][0]["dice"],
        "mid_turn": start["mid_turn"],
        "turn": start["turn"],
        "on_roll": SIDES.index(start["on_roll"]),
        "cube": {"value": cube["value"], "owner": cube["owner"] and SIDES.index(cube["owner"])},
        "last_checker": {
            "side": SIDES.index(start["side"]),
            "point": start["point"],
            "opponent": opponent,
            "opponent_off": checkers_per_side - sum(opponent.values()),
        },
    }


def differences(facts: Json, expected: Json) -> Json:
    """What is expected and is not so: fact -> (expected, found)."""
    return {name: (value, facts.get(name)) for name, value in expected.items() if facts.get(name) != value}
