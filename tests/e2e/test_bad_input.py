"""Input as bad as it comes, over real HTTP: each gets a clear answer, and nothing of it is half kept."""

import gzip
import json
import re
import select
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import requests

from adjudicator.api.gunicorn_worker import LINGER_LIMIT_S, SILENCE_LIMIT_S
from adjudicator.api.problems import PROBLEM_MEDIA_TYPE
from tests.contract.contract import Contract
from tests.contract.harness import count_kept
from tests.contract.records import MAT, match_record, match_record_bytes
from tests.e2e.door import AUTHORIZATION, THREADS, Door, open_door, received

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"

ANALYSIS = b"""\
Match analysis by a program

Move number 1:  white to play 31

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAA
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: black
 | X           O    |   | O              X |     0 points

* white moves 8/5 6/5

Alert: missed double (+0.123)
Rating: Supernatural
"""

KEY = "".join(f"{name}: {text}\r\n" for name, text in AUTHORIZATION.items()).encode()

NAN = match_record_bytes().replace(b'"match_length": 1', b'"match_length": NaN')
DEEP = b"[" * 100_000 + b"]" * 100_000
DEEPEST = b"[" * 5_000_000 + b"]" * 5_000_000
DEEP_INSIDE = match_record_bytes(metadata=0).replace(
    b'"metadata": 0', b'"metadata": ' + b'{"a":' * 100_000 + b"0" + b"}" * 100_000
)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with open_door(tmp_path_factory.mktemp("door")) as door:
        yield door


@pytest.fixture(scope="module")
def contract() -> Contract:
    return Contract.load()


def game_with(**changes: Any) -> bytes:
    return match_record_bytes(games=[match_record()["games"][0] | changes])


def problem_of(answer: requests.Response) -> dict[str, Any]:
    """The problem document of an answer, which is short, names the request, and hides our inside."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["request_id"] == answer.headers["X-Request-Id"]
    assert len(answer.content) < 16_000
    assert "Traceback" not in answer.text
    return problem


def parsed(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers by lower-case name, and body of an answer as it came."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    headers = {name.lower(): text for name, _, text in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


JSON = "application/json"
TEXT = "text/plain"
BYTES = "application/octet-stream"


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code", "said"),
    [
        pytest.param(b"", TEXT, 400, "bad_request", "empty", id="empty text"),
        pytest.param(b"", JSON, 400, "bad_request", "empty", id="empty JSON"),
        pytest.param(b" \r\n ", TEXT, 422, "unknown_format", "empty", id="blanks"),
        pytest.param(PNG, BYTES, 422, "unknown_format", "PNG", id="picture"),
        pytest.param(PNG, TEXT, 422, "unknown_format", "PNG", id="picture as text"),
        pytest.param(PNG, JSON, 422, "unreadable_record", "JSON", id="picture as JSON"),
        pytest.param(ANALYSIS, TEXT, 422, "unknown_format", "analysis", id="analysis"),
        pytest.param(b"x " * 1_500_000, TEXT, 413, "too_large", "bytes", id="3 MB of text"),
        pytest.param(DEEP, JSON, 422, "unreadable_record", "nested", id="deep JSON"),
        pytest.param(DEEP_INSIDE, JSON, 413, "too_large", "bytes", id="deep and large JSON"),
        pytest.param(DEEPEST, JSON, 413, "too_large", "bytes", id="10 MB of nested arrays"),
        pytest.param(MAT, "image/png", 415, "unsupported_media_type", "text/plain", id="wrong type"),
        pytest.param(MAT, "text/html", 415, "unsupported_media_type", "text/plain", id="wrong text type"),
        pytest.param(NAN, JSON, 422, "unreadable_record", "NaN", id="NaN"),
    ],
)
def test_what_is_no_record_is_refused(
    door: Door, content: bytes, content_type: str, status: int, code: str, said: str
) -> None:
    before = count_kept(door.folder)
    answer = door.post(content, content_type)
    problem = problem_of(answer)
    assert (answer.status_code, problem["code"]) == (status, code)
    assert said in answer.text
    assert count_kept(door.folder) == before


@pytest.mark.parametrize(
    ("packed", "status", "code", "said"),
    [
        pytest.param(gzip.compress(DEEPEST), 413, "too_large", "inflates", id="10 MB of nested arrays"),
        pytest.param(gzip.compress(bytes(100_000_000)), 413, "too_large", "inflates", id="bomb"),
        pytest.param(gzip.compress(DEEP), 422, "unreadable_record", "nested", id="deep JSON"),
        pytest.param(gzip.compress(MAT)[:-9], 400, "bad_request", "cut off", id="cut off"),
        pytest.param(MAT, 400, "bad_request", "incorrect header", id="not packed at all"),
    ],
)
def test_what_is_no_record_is_refused_under_gzip_too(
    door: Door, packed: bytes, status: int, code: str, said: str
) -> None:
    before = count_kept(door.folder)
    for content_type in (JSON, TEXT) if status != 422 else (JSON,):
        answer = door.post(packed, content_type, Content_Encoding="gzip")
        assert (answer.status_code, problem_of(answer)["code"]) == (status, code)
        assert said in answer.text
    assert count_kept(door.folder) == before


def test_a_gzipped_record_in_chunks_is_taken(door: Door) -> None:
    packed = gzip.compress(match_record_bytes())
    answer = requests.post(
        f"{door.address}/v1/matches",
        data=iter([packed[:10], packed[10:11], packed[11:]]),
        headers={**AUTHORIZATION, "Content-Type": JSON, "Content-Encoding": "gzip", "Prefer": "wait=30"},
        timeout=60,
    )
    assert answer.json()["games"][0]["status"] == "played_out"


@pytest.mark.parametrize(
    ("content", "pointer"),
    [
        pytest.param(
            game_with(start={"white": {"6": 16}, "black": {"1": 2}}), "/games/0/start", id="16 checkers"
        ),
        pytest.param(
            game_with(start={"white": {"26": 1}, "black": {"1": 2}}), "/games/0/start", id="start on 26"
        ),
        pytest.param(
            game_with(actions=[{"player": "white", "roll": [6, 5], "moves": [[26, 20]]}]),
            "/games/0/actions/0/moves",
            id="point 26 as a pair",
        ),
        pytest.param(
            game_with(actions=[{"player": "white", "roll": [6, 7], "moves": ""}]),
            "/games/0/actions/0/roll",
            id="die of 7",
        ),
        pytest.param(match_record_bytes(players={"white": {"name": "A"}}), "/players", id="no black"),
        pytest.param(match_record_bytes(surprise=1), "/surprise", id="unknown member"),
    ],
)
def test_a_match_record_with_a_fault_is_refused_with_its_place(
    door: Door, content: bytes, pointer: str
) -> None:
    before = count_kept(door.folder)
    answer = door.post(content, JSON)
    problem = problem_of(answer)
    assert (answer.status_code, problem["code"]) == (422, "unreadable_record")
    assert all(fault["pointer"].startswith(pointer) for fault in problem["errors"])
    assert count_kept(door.folder) == before


def result_of(door: Door, content: bytes, content_type: str = TEXT) -> dict[str, Any]:
    """The result of a record that is taken, odd as it is; its bytes are kept as they came."""
    answer = door.post(content, content_type, Prefer="wait=30")
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    assert door.get(f"/v1/matches/{result['match']['id']}/record").content == content
    assert result["status"] == "done"
    return result


def codes_of(thing: dict[str, Any]) -> set[str]:
    return {remark["code"] for remark in thing["remarks"]}


def test_a_log_cut_in_mid_line_is_adjudicated_as_far_as_it_goes(door: Door) -> None:
    cut = MAT[: MAT.index(b"  2)")] + b"""  2) 53: 8/3 6/3                 61: 13/7 8"""
    result = result_of(door, cut)
    game = result["games"][0]
    assert (game["status"], game["adjudicated"]) == ("unreadable", None)
    assert (game["unreadable"]["line"], game["unreadable"]["turn"]) == (6, 4)
    assert any("'8' names no point" in remark["detail"] for remark in game["remarks"])


def test_a_point_26_in_a_log_makes_its_game_unreadable_with_the_line(door: Door) -> None:
    result = result_of(door, MAT.replace(b"8/4 6/4", b"26/22 6/4"))
    game = result["games"][0]
    assert game["status"] == "unreadable"
    assert game["unreadable"]["line"] == 5
    assert any("no point '26'" in remark["detail"] for remark in game["remarks"])


def test_4016_points_are_a_remark(door: Door) -> None:
    result = result_of(door, MAT.replace(b"Wins 1 point", b"Wins 4016 point"))
    game = result["games"][0]
    assert game["recorded"]["points"] == 4016
    assert game["adjudicated"] == {"winner": "white", "win": "single", "points": 1}
    assert "points_impossible" in codes_of(game)


def test_an_empty_name_is_a_name(door: Door) -> None:
    result = result_of(door, MAT.replace(b" white : 0 ", b"       : 0 "))
    assert result["match"]["players"] == {"white": "", "black": "black"}
    assert result["games"][0]["adjudicated"]["winner"] == "white"


def test_names_in_latin_1_are_read_whatever_the_charset_says(door: Door) -> None:
    content = MAT.replace(b" white :", b" J\xfcrgen :")
    result = result_of(door, content, "text/plain; charset=utf-8")
    assert result["match"]["players"]["white"] == "Jürgen"
    assert "encoding_guessed" in codes_of(result)


def test_a_name_cannot_become_a_header(door: Door) -> None:
    name = "Ann\r\nSet-Cookie: owned=1"
    content = match_record_bytes(players={"white": {"name": name}, "black": {"name": "Bea"}})
    answer = door.post(content, JSON, Prefer="wait=30")
    assert answer.status_code in (200, 422)
    assert "Set-Cookie" not in answer.headers
    files = {"file": ("a.mat\r\nSet-Cookie: owned=1", MAT)}
    answer = requests.post(f"{door.address}/v1/matches", headers=AUTHORIZATION, files=files, timeout=60)
    assert answer.status_code in (202, 400)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"a\rSet-Cookie: owned=1", id="CR"),
        pytest.param(b"a\nSet-Cookie: owned=1", id="LF"),
        pytest.param(b"a\r\n Set-Cookie: owned=1", id="folded"),
        pytest.param(b"a%0d%0aSet-Cookie: owned=1", id="escaped"),
        pytest.param(b"a\x00b", id="NUL"),
        pytest.param("ä".encode(), id="not ASCII"),
        pytest.param(b"a" * 129, id="too long"),
    ],
)
def test_a_request_id_cannot_become_a_header(door: Door, sent: bytes) -> None:
    status, headers, _ = parsed(
        door.send_raw(
            b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: " + sent + b"\r\n\r\n"
        )
    )
    assert status in (200, 400)
    assert "set-cookie" not in headers
    assert re.fullmatch(r"[0-9a-f]{32}", headers["x-request-id"])


def test_a_file_name_is_no_path(door: Door) -> None:
    names = {
        "../../etc/passwd": "passwd",
        r"..\\..\\boot.ini": "boot.ini",  # as a quoted string has it
        "/": None,
        "..": None,
        "a\x00b.mat": "ab.mat",
    }
    for number, (sent, kept) in enumerate(names.items()):
        files = {"file": (sent, MAT.replace(b"white", b"white%d" % number))}
        address = f"{door.address}/v1/matches"
        answer = requests.post(address, headers=AUTHORIZATION, files=files, timeout=60)
        match = door.get(f"/v1/matches/{answer.json()['match']['id']}").json()
        assert match.get("file_name") == kept, sent


@pytest.mark.parametrize(
    "target",
    [
        "/v1/../livez",
        "/v1/%2e%2e/livez",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/v1/matches/..%2f..%2fetc%2fpasswd/record",
        "//livez",
        "///livez",
        "/v1//engines",
        "/livez/",
        "/livez%00",
        "/openapi.yaml%00.html",
        "/livez%0d%0aSet-Cookie:%20owned=1",
        "/livez;x=1",
        "/%c0%ae%c0%ae/livez",
        "/v1\\..\\livez",
        "/%ff%fe",
        "//evil.example/livez",
    ],
)
def test_a_path_means_what_it_says_and_nothing_else(door: Door, contract: Contract, target: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    status, headers, body = parsed(door.send_raw(request.encode("ascii")))
    problem = json.loads(body)
    assert (status, problem["code"]) == (404, "not_found")
    assert "set-cookie" not in headers
    assert re.fullmatch(r"/[!-~]*", problem["instance"])
    assert contract.faults("/components/schemas/Problem", problem) == []


@pytest.mark.parametrize("target", [b"/livez\x00", b"livez", b"*", b"/\xc3\xa9", b"/livez\r\nX: y"])
def test_a_target_that_is_none_is_no_request(door: Door, target: bytes) -> None:
    answer = door.send_raw(b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert parsed(answer)[0] == 400


@pytest.mark.parametrize("name", ["\ud800", "\x00", "a" * 100_000])
def test_a_name_that_cannot_be_kept_is_refused_or_kept_whole(door: Door, name: str) -> None:
    before = count_kept(door.folder)
    content = match_record_bytes(players={"white": {"name": name}, "black": {"name": "Bea"}})
    answer = door.post(content, JSON, Prefer="wait=30")
    if answer.status_code == 200:
        assert answer.json()["match"]["players"]["white"] == name
    else:
        assert problem_of(answer)["code"] == "unreadable_record"
        assert count_kept(door.folder) == before


def test_a_badly_chunked_body_is_refused(door: Door) -> None:
    before = count_kept(door.folder)
    answer = door.send_raw(
        b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n" + KEY + b"Content-Type: text/plain\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"
    )
    assert parsed(answer)[0] == 400
    assert count_kept(door.folder) == before


@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        pytest.param(
            b"GET /livez?" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "uri_too_long", id="long query"
        ),
        pytest.param(
            b"GET /livez HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 300_000 + b"\r\n\r\n",
            431,
            "headers_too_large",
            id="big header",
        ),
        pytest.param(
            b"GET /livez HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n",
            431,
            "headers_too_large",
            id="many headers",
        ),
        pytest.param(b"\x16\x03\x01\x02\x00\r\n\r\n", 400, "bad_request", id="a TLS greeting"),
        pytest.param(b"GET /livez HTTP/9.9\r\n\r\n", 400, "bad_request", id="another protocol"),
        pytest.param(b"GET /livez HTTP/1.1\r\nno header\r\n\r\n", 400, "bad_request", id="no header"),
        pytest.param(
            b"POST /v1/matches HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            400,
            "bad_request",
            id="two lengths",
        ),
        pytest.param(
            b"POST /v1/matches HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            "bad_request",
            id="length and chunks",
        ),
    ],
)
def test_what_is_no_http_is_answered_with_a_problem_document(
    door: Door, contract: Contract, request_bytes: bytes, status: int, code: str
) -> None:
    answered, headers, body = parsed(door.send_raw(request_bytes))
    problem = json.loads(body)
    assert (answered, headers["content-type"], problem["code"]) == (status, PROBLEM_MEDIA_TYPE, code)
    assert headers["x-request-id"] == problem["request_id"]
    assert contract.faults("/components/schemas/Problem", problem) == []


SLOW_BODY = (
    b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n"
    + KEY
    + b"Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n"
)


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(SLOW_BODY, id="body"),
        pytest.param(SLOW_BODY.replace(b"text/plain", b"image/png"), id="refused body"),
        pytest.param(SLOW_BODY.replace(b"text/plain", b"multipart/form-data; boundary=x"), id="form"),
        pytest.param(SLOW_BODY.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked"), id="chunks"),
        pytest.param(b"GET /livez HTTP/1.1\r\nHost:", id="headers"),
    ],
)
def test_clients_that_send_no_more_hold_nobody_up_for_long(door: Door, begun: bytes) -> None:
    with ExitStack() as opened:
        stalled = [opened.enter_context(door.connect()) for _ in range(THREADS + 1)]
        for connection in stalled:
            connection.sendall(begun)
        before = time.monotonic()
        assert door.get("/livez").status_code == 200
        assert time.monotonic() - before < SILENCE_LIMIT_S + LINGER_LIMIT_S + 1.5
        status, _, body = parsed(received(stalled[0]))
    expected = (415, "unsupported_media_type") if b"image/png" in begun else (408, "request_timeout")
    assert (status, json.loads(body)["code"]) == expected


LONG_BODY = SLOW_BODY.replace(b"1000", b"65000") + b"x" * 64_000
CHUNKS = SLOW_BODY.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"5\r\nab"


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(CHUNKS, id="chunks"),
        pytest.param(CHUNKS.replace(KEY, b""), id="chunks without a key"),
        pytest.param(LONG_BODY, id="long bodies"),
        pytest.param(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n" + CHUNKS, id="chunks behind another request"),
    ],
)
def test_a_hundred_slow_long_bodies_leave_threads_for_others(door: Door, begun: bytes) -> None:
    with ExitStack() as opened:
        stalled = [opened.enter_context(door.connect()) for _ in range(100)]
        for connection in stalled:
            connection.sendall(begun)
            if begun.startswith(b"GET"):
                assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        for _ in range(10):
            assert door.get("/livez").status_code == 200
        readable, _, _ = select.select(stalled, [], [], 0)
        refused = [connection for connection in readable if b"HTTP/1.1 4" in connection.recv(65536)]
        assert len(refused) < len(stalled) / 2  # others did not wait for them


def test_a_body_that_breaks_off_keeps_nothing(door: Door) -> None:
    before = count_kept(door.folder)
    answer = door.send_raw(
        b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n" + KEY + b"Content-Type: text/plain\r\n"
        b"Content-Length: 100000\r\nConnection: close\r\n\r\n" + MAT
    )
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert count_kept(door.folder) == before


def test_the_service_is_as_well_as_before(door: Door) -> None:
    assert door.get("/readyz").status_code == 200
    assert result_of(door, match_record_bytes(), JSON)["games"][0]["status"] == "played_out"
