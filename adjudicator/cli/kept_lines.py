"""Files of results, a line a record: what is in one already, and whether it belongs to the same work."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from adjudicator.cli.input_files import BadInput, InputFile, require_file
from adjudicator.errors import RequestError
from adjudicator.happy_end.game import GameStatus
from adjudicator.logs.reading import read_log
from adjudicator.service.choice import Choice
from adjudicator.service.offer import Offer
from adjudicator.service.orders import make_order
from adjudicator.service.values import LOCAL_OWNER


def read_lines(file: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    """The whole lines of a file of results, parsed; the file is left behind the last of them.

    Raises: RequestError for a line that is none.
    """
    number = 0
    while (line := file.readline()).endswith(b"\n"):
        number += 1
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RequestError(f"{name} is no file of results: line {number} is no JSON") from error
        if not isinstance(parsed, dict):
            raise RequestError(f"{name} is no file of results: line {number} is no object")
        yield parsed
    file.seek(-len(line), 1)


def pass_over_kept(
    file: BinaryIO, records: Iterator[InputFile | BadInput], choice: Choice, offer: Offer
) -> tuple[int, int]:
    """Takes those records that have their line already; how many, and how many of them are not fine.

    What an interrupted call left of a line is cut off the file.

    Raises: RequestError where the lines are of other records or options.
    """
    count = failed = 0
    last: tuple[InputFile, str] | None = None
    for line in read_lines(file, file.name):
        count += 1
        record = next(records, None)
        if record is None or line.get("name") != record.short_name:
            here = "nothing" if record is None else repr(record.short_name)
            raise _other_work(file, f"line {count} is of {line.get('name')!r}, where the input has {here}")
        failed += not _is_fine(line)
        if "adjudication_id" in line:
            last = (require_file(record), line["adjudication_id"])
    if last is not None:
        record, adjudication_id = last
        log = read_log(record.content)
        order = make_order(record.content, log, choice=choice, offer=offer, owner=LOCAL_OWNER)
        if order.adjudication_id != adjudication_id:
            raise _other_work(file, f"{record.short_name!r} had another content, option or engine build")
    file.truncate()
    return count, failed


def _is_fine(line: dict[str, Any]) -> bool:
    games = line.get("result", {}).get("games")
    return games is not None and all(game["status"] != GameStatus.UNREADABLE.value for game in games)


def _other_work(file: BinaryIO, reason: str) -> RequestError:
    return RequestError(f"{file.name} holds other results: {reason}. Name another file, or remove it.")
