"""The listing's store keeps its port's promises on every database."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.service.listing import Wanted
from adjudicator.service.pages import Mark
from adjudicator.service.values import Adjudication, Match, Result, Status, Ticket
from adjudicator.store.database import Database
from adjudicator.store.listing_store import ListingStore
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from tests.contract.databases import fresh_database

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)


class Archive:
    """Matches 0, 1, 2..., one a minute, the last two submitted in the same moment."""

    def __init__(self, url: str) -> None:
        database = Database(url)
        self.matches, self.listing = MatchStore(database), ListingStore(database)
        for number, white, minute in ((0, "Anna", 0), (1, "Борис", 1), (2, "Anna", 2), (3, "Cora", 2)):
            self.keep(number, white, NOON + timedelta(minutes=minute))
        self.keep(4, "Anna", NOON, owner="another")
        ticket = Ticket("a1", 1)
        self.matches.start(ticket, worker="w", at=NOON, lease_until=NOON + timedelta(minutes=1))
        self.matches.finish(ticket, result=Result(b"{}", changed=True), at=NOON)

    def keep(self, number: int, white: str, at: datetime, owner: str = "local") -> None:
        match = Match(
            id=f"m{number}",
            owner=owner,
            sha256=f"{number:064}",
            format="jellyfish_mat",
            media_type="text/plain",
            file_name=None,
            variant="backgammon",
            match_length=7,
            white=white,
            black=f"black {number}",
            received_at=at,
        )
        adjudication = Adjudication(
            id=f"a{number}",
            match_id=match.id,
            owner=owner,
            ruleset=DEFAULT_RULESET,
            engine=EngineIdentity("scripted", "1", {}),
            status=Status.QUEUED,
            attempt=1,
            submitted_at=at,
        )
        self.matches.keep(match, b"record", adjudication, last_attempt=3)

    def ids(self, wanted: Wanted, after: Mark | None = None, limit: int = 9) -> list[str]:
        found = self.listing.entries("local", wanted, after=after, limit=limit)
        return [entry.adjudication.id for entry in found]


@pytest.fixture(params=["sqlite", "postgresql"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archive]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        archive = Archive(url)
        yield archive
        archive.matches.close()


def test_what_is_wanted_comes_latest_first(archive: Archive) -> None:
    every = Wanted()
    assert archive.ids(every) == ["a3", "a2", "a1", "a0"]
    assert archive.ids(every, limit=1) == ["a3"]
    assert archive.ids(replace(every, player="Anna")) == ["a2", "a0"]
    assert archive.ids(replace(every, player="black 1")) == ["a1"]
    assert archive.ids(replace(every, player="\0")) == []
    assert archive.ids(replace(every, changed=True)) == ["a1"]
    assert archive.ids(replace(every, changed=False)) == []
    assert archive.ids(replace(every, status=Status.QUEUED)) == ["a3", "a2", "a0"]
    assert archive.ids(replace(every, since=NOON + timedelta(minutes=1))) == ["a3", "a2", "a1"]
    assert archive.ids(replace(every, until=NOON + timedelta(minutes=1))) == ["a0"]


def test_a_mark_between_two_of_one_moment_parts_them(archive: Archive) -> None:
    at = NOON + timedelta(minutes=2)
    assert archive.ids(Wanted(), after=Mark(at, "a3")) == ["a2", "a1", "a0"]
    assert archive.ids(Wanted(), after=Mark(at, "a2")) == ["a1", "a0"]


def test_an_entry_has_its_match_and_its_adjudication(archive: Archive) -> None:
    (entry,) = archive.listing.entries("local", Wanted(player="Борис"), after=None, limit=9)
    assert (entry.match.id, entry.match.white, entry.match.match_length) == ("m1", "Борис", 7)
    assert entry.adjudication.match_id == "m1"
    assert entry.adjudication.status is Status.DONE
