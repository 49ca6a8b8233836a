"""POST /v1/matches."""

import gzip
import io
import time
import zlib
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest

from adjudicator.api.app import MULTIPART_OVERHEAD_BYTES
from adjudicator.api.context import waiting_place
from adjudicator.config import Settings
from adjudicator.happy_end.ruleset import Finish
from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House
from tests.contract.records import MAT, match_record, match_record_bytes
from tests.solved import solved_estimator


@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", "Text/Plain; charset=x"])
def test_a_text_log_is_taken_under_each_of_its_content_types(
    client: CheckedClient, content_type: str
) -> None:
    answer = client.post("/v1/matches", data=MAT, content_type=content_type)
    assert answer.status_code == 202
    assert answer.get_json()["status"] == "queued"
    assert answer.headers["Location"] == f"/v1/adjudications/{answer.get_json()['id']}"
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_match_record_is_taken_as_json(client: CheckedClient) -> None:
    answer = client.post("/v1/matches", json=match_record())
    assert answer.status_code == 202
    match = client.get(f"/v1/matches/{answer.get_json()['match']['id']}").get_json()
    assert (match["format"], match["players"]) == ("match_record", {"white": "Ann", "black": "Bea"})


def test_a_file_is_taken_from_a_form_and_keeps_its_name_without_its_folder(client: CheckedClient) -> None:
    part = (io.BytesIO(MAT), "../games/final\t.mat")
    answer = client.post("/v1/matches", data={"file": part})
    assert answer.status_code == 202
    match = client.get(f"/v1/matches/{answer.get_json()['match']['id']}").get_json()
    assert (match["format"], match["file_name"]) == ("jellyfish_mat", "final.mat")


def test_a_form_with_anything_but_one_file_is_refused(client: CheckedClient) -> None:
    answer = client.post(
        "/v1/matches", data={"file": (io.BytesIO(MAT), "a.mat"), "finish": "exact_or_double"}
    )
    assert answer.status_code == 400
    assert [fault["parameter"] for fault in answer.get_json()["errors"]] == ["finish"]
    form = "multipart/form-data"
    assert client.post("/v1/matches", data={"file": "text"}, content_type=form).status_code == 400
    assert client.post("/v1/matches", data={}, content_type=form).status_code == 400
    assert client.post("/v1/matches", data=b"x", content_type=f"{form}; boundary=y").status_code == 400
    nameless = client.post("/v1/matches", data={"file": "text"}, content_type=form).get_json()
    assert [fault["parameter"] for fault in nameless["errors"]] == ["file"]
    assert "needs a file name" in nameless["errors"][0]["reason"]
    two = [(io.BytesIO(MAT), "a.mat"), (io.BytesIO(MAT), "b.mat")]
    assert client.post("/v1/matches", data={"file": two}).status_code == 400


def test_the_same_submission_again_is_the_same_adjudication(client: CheckedClient) -> None:
    first = client.post("/v1/matches", data=MAT, content_type="text/plain")
    again = client.post("/v1/matches", data=MAT, content_type="text/plain")
    other = client.post("/v1/matches?finish=exact_or_double", data=MAT, content_type="text/plain")
    assert again.headers["Location"] == first.headers["Location"]
    assert other.headers["Location"] != first.headers["Location"]


def test_the_options_of_the_query_are_those_of_the_adjudication(client: CheckedClient) -> None:
    query = "format=jellyfish_mat&ruleset=happy-end&finish=exact_or_double&numbering=move&indifference=0.01"
    answer = client.post(f"/v1/matches?{query}", data=MAT, content_type="text/plain")
    ruleset = answer.get_json()["ruleset"]
    assert (ruleset["finish"], ruleset["numbering"], ruleset["indifference"]) == (
        "exact_or_double",
        "move",
        0.01,
    )


def test_minus_zero_is_zero(client: CheckedClient) -> None:
    written = ("0", "-0", "0.0", "-0.0", "0e5")
    answers = [
        client.post(f"/v1/matches?indifference={number}", data=MAT, content_type="text/plain")
        for number in written
    ]
    assert {str(answer.get_json()["ruleset"]["indifference"]) for answer in answers} == {"0.0"}
    assert len({answer.headers["Location"] for answer in answers}) == 1


def test_every_wrong_parameter_is_named_at_once(client: CheckedClient) -> None:
    query = "finish=sometimes&numbering=line&indifference=nan&finsh=exact&engine="
    answer = client.post(f"/v1/matches?{query}", data=MAT, content_type="text/plain")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    named = {fault["parameter"] for fault in answer.get_json()["errors"]}
    assert named == {"finish", "numbering", "indifference", "finsh", "engine"}


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("ruleset=sad-end", "ruleset"),
        ("engine=deep-thought", "engine"),
        ("format=papyrus", "format"),
        ("finish=exact&finish=exact_or_double", "finish"),
        ("indifference=-1", "indifference"),
        ("indifference=1e400", "indifference"),
        ("indifference=0_1", "indifference"),
        ("indifference=0.0_1", "indifference"),
        ("indifference=.5", "indifference"),
        ("indifference=%20.5", "indifference"),
        ("indifference=%D9%A0", "indifference"),
    ],
)
def test_a_value_outside_what_is_known_is_refused_and_nothing_is_kept(
    client: CheckedClient, house: House, query: str, parameter: str
) -> None:
    answer = client.post(f"/v1/matches?{query}", data=MAT, content_type="text/plain")
    assert answer.status_code == 400
    assert [fault["parameter"] for fault in answer.get_json()["errors"]] == [parameter]
    assert house.kept() == (0, 0)


def work_once(house: House) -> None:
    """Works as soon as there is something to be done."""
    while not house.queue.tickets:
        time.sleep(0.01)
    house.work()


def test_a_caller_that_waits_gets_the_result_with_200_if_it_is_ready_in_time(
    client: CheckedClient, house: House
) -> None:
    solved_estimator(Finish.EXACT)
    worker = Thread(target=work_once, args=[house])
    worker.start()
    answer = client.post("/v1/matches", json=match_record(), headers={"Prefer": "wait=20"})
    worker.join()
    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == "wait=20"
    assert answer.get_json()["schema"] == "adjudication/1"
    fetched = client.get(answer.headers["Location"])
    assert (fetched.data, fetched.headers["ETag"]) == (answer.data, answer.headers["ETag"])


def test_a_caller_that_waited_in_vain_gets_202(client: CheckedClient) -> None:
    answer = client.post("/v1/matches", json=match_record(), headers={"Prefer": "respond-async, wait=1"})
    assert (answer.status_code, answer.get_json()["status"]) == (202, "queued")
    assert answer.headers["Preference-Applied"] == "wait=1"


def test_half_of_the_threads_may_wait_and_whoever_finds_no_place_gets_202_at_once(
    client: CheckedClient, house: House
) -> None:
    wish = {"Prefer": "wait=30"}
    with house.app.app_context(), ExitStack() as places:
        taken = [places.enter_context(waiting_place()) for _ in range(Settings().threads // 2 + 1)]
        assert taken == [True] * (Settings().threads // 2) + [False]
        before = time.monotonic()
        answer = client.post("/v1/matches", json=match_record(), headers=wish)
        assert time.monotonic() - before < 5
        assert (answer.status_code, answer.get_json()["status"]) == (202, "queued")
        assert "Preference-Applied" not in answer.headers
        house.work()
        assert client.post("/v1/matches", json=match_record(), headers=wish).status_code == 200
    later = client.post("/v1/matches", data=MAT, content_type="text/plain", headers={"Prefer": "wait=1"})
    assert later.headers["Preference-Applied"] == "wait=1"


def test_a_caller_that_waits_gets_a_result_that_is_there_at_once(client: CheckedClient, house: House) -> None:
    location = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.work()
    answer = client.post("/v1/matches", json=match_record(), headers={"Prefer": "wait=30"})
    assert (answer.status_code, answer.get_json()["status"]) == (200, "done")
    assert (answer.headers["Location"], "Retry-After" in answer.headers) == (location, False)
    assert answer.data == client.get(location).data
    assert answer.headers["Preference-Applied"] == "wait=30"


def test_a_caller_that_does_not_wait_gets_202_whether_the_result_is_there_or_not(
    client: CheckedClient, house: House
) -> None:
    first = client.post("/v1/matches", json=match_record())
    house.work()
    again = client.post("/v1/matches", json=match_record())
    assert (first.status_code, first.get_json()["status"]) == (202, "queued")
    assert (again.status_code, again.get_json()["status"]) == (202, "done")
    assert first.headers["Location"] == again.headers["Location"]
    assert "Preference-Applied" not in again.headers


def test_a_submission_whose_adjudication_failed_is_told_why(client: CheckedClient, house: House) -> None:
    client.post("/v1/matches", json=match_record())
    house.fail_next()
    answer = client.post("/v1/matches", json=match_record(), headers={"Prefer": "wait=1"})
    assert (answer.status_code, answer.get_json()["status"]) == (200, "failed")
    assert answer.get_json()["error"]["code"] == "engine_failure"


def test_a_precondition_on_a_submission_changes_nothing(client: CheckedClient, house: House) -> None:
    client.post("/v1/matches", json=match_record())
    house.work()
    for name in ("If-Match", "If-None-Match"):
        answer = client.post("/v1/matches", json=match_record(), headers={name: "*"})
        assert (answer.status_code, answer.get_json()["status"]) == (202, "done")


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "image/png", "text/html", None]
)
def test_another_content_type_is_refused_with_those_that_are_taken(
    client: CheckedClient, content_type: str | None
) -> None:
    answer = client.post("/v1/matches", data=MAT, content_type=content_type)
    assert (answer.status_code, answer.get_json()["code"]) == (415, "unsupported_media_type")
    assert "multipart/form-data" in answer.get_json()["detail"]


@pytest.mark.parametrize("coding", ["br", "gzip, gzip", "deflate", "identity, br"])
def test_a_body_under_another_coding_is_refused(client: CheckedClient, house: House, coding: str) -> None:
    answer = client.post(
        "/v1/matches", data=MAT, content_type="text/plain", headers={"Content-Encoding": coding}
    )
    assert answer.status_code == 415
    assert answer.headers["Accept-Encoding"] == "gzip, identity"
    assert house.kept() == (0, 0)


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", " GZIP"])
def test_a_gzipped_record_is_the_record(client: CheckedClient, house: House, coding: str) -> None:
    whole = gzip.compress(MAT[:50]) + gzip.compress(b"") + gzip.compress(MAT[50:])
    for packed in (gzip.compress(MAT), whole):
        answer = client.post(
            "/v1/matches", data=packed, content_type="text/plain", headers={"Content-Encoding": coding}
        )
        match_id = answer.get_json()["match"]["id"]
        assert client.get(f"/v1/matches/{match_id}/record").data == MAT
    assert house.kept() == (1, 1)


def test_a_gzipped_form_is_a_form(client: CheckedClient, house: House) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.mat"\r\n\r\n'
        + MAT
        + b"\r\n--x--\r\n"
    )
    answer = client.post(
        "/v1/matches",
        data=gzip.compress(body),
        content_type="multipart/form-data; boundary=x",
        headers={"Content-Encoding": "gzip"},
    )
    assert client.get(f"/v1/matches/{answer.get_json()['match']['id']}").get_json()["file_name"] == "a.mat"


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        pytest.param(MAT, "incorrect header check", id="no gzip"),
        pytest.param(gzip.compress(MAT)[:-20], "cut off", id="cut off"),
        pytest.param(gzip.compress(MAT)[:5], "cut off", id="cut off in the header"),
        pytest.param(gzip.compress(MAT)[:-8] + bytes(8), "incorrect data check", id="wrong checksum"),
        pytest.param(gzip.compress(MAT) + b"more", "incorrect header check", id="more behind it"),
        pytest.param(zlib.compress(MAT), "incorrect header check", id="zlib"),
    ],
)
def test_broken_gzip_is_told_as_that(client: CheckedClient, house: House, packed: bytes, said: str) -> None:
    answer = client.post(
        "/v1/matches", data=packed, content_type="text/plain", headers={"Content-Encoding": "gzip"}
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert said in answer.get_json()["detail"]
    assert house.kept() == (0, 0)


def test_a_gzipped_body_counts_as_what_it_inflates_to(client: CheckedClient, house: House) -> None:
    for length in (house.longest_record + 1, house.longest_record + 70_000, 50_000_000):
        answer = client.post(
            "/v1/matches",
            data=gzip.compress(b" " * length),
            content_type="text/plain",
            headers={"Content-Encoding": "gzip"},
        )
        assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert house.kept() == (0, 0)


def test_an_empty_body_is_refused(client: CheckedClient, house: House) -> None:
    for content_type in ("text/plain", "application/json"):
        answer = client.post("/v1/matches", data=b"", content_type=content_type)
        assert (answer.status_code, answer.get_json()["detail"]) == (
            400,
            "The body is empty; a match record was expected.",
        )
    assert house.kept() == (0, 0)


def test_a_body_that_broke_off_is_refused(client: CheckedClient, house: House) -> None:
    answer = client.post(
        "/v1/matches",
        data=MAT,
        content_type="text/plain",
        environ_overrides={"CONTENT_LENGTH": str(len(MAT) + 10), "wsgi.input_terminated": True},
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert answer.get_json()["detail"] == "The body broke off before its end."
    assert house.kept() == (0, 0)


def test_a_body_beyond_the_limit_is_refused_whether_or_not_it_tells_its_length(
    client: CheckedClient, house: House
) -> None:
    body = MAT + b" " * (house.longest_record + 1 - len(MAT))
    told = client.post("/v1/matches", data=body, content_type="text/plain")
    chunked = client.post(
        "/v1/matches",
        input_stream=io.BytesIO(body),
        content_type="text/plain",
        environ_overrides={"wsgi.input_terminated": True},
    )
    form = client.post("/v1/matches", data={"file": (io.BytesIO(body), "a.mat")})
    for answer in (told, chunked, form):
        assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
        said = f"The record has more than the {house.longest_record} bytes that are taken here."
        assert answer.get_json()["detail"] == said
    assert house.kept() == (0, 0)


def test_what_is_too_much_of_a_body_is_told_as_it_is(client: CheckedClient, house: House) -> None:
    most = house.longest_record + MULTIPART_OVERHEAD_BYTES
    body = f"The body is longer than the {most} bytes that are taken here."
    chunked = client.post(
        "/v1/matches",
        input_stream=io.BytesIO(b" " * (2 * most)),
        content_type="text/plain",
        environ_overrides={"wsgi.input_terminated": True},
    )
    many = client.post(
        "/v1/matches",
        data={f"part {number}": "some text" for number in range(1100)},
        content_type="multipart/form-data",
    )
    assert (chunked.status_code, chunked.get_json()["detail"]) == (413, body)
    assert many.status_code == 413
    assert many.get_json()["detail"].startswith("The form has more than 1000 parts, or ")


def test_a_body_far_beyond_the_limit_is_refused_without_being_read_whole(client: CheckedClient) -> None:
    answer = client.post(
        "/v1/matches", data=MAT, content_type="text/plain", environ_overrides={"CONTENT_LENGTH": str(10**12)}
    )
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")


def test_a_record_of_the_very_limit_is_taken(client: CheckedClient, house: House) -> None:
    body = MAT + b"\n" * (house.longest_record - len(MAT))
    assert client.post("/v1/matches", data=body, content_type="text/plain").status_code == 202
    assert client.post("/v1/matches", data={"file": (io.BytesIO(body), "a.mat")}).status_code == 202


def test_a_chunked_body_is_read_to_its_end(client: CheckedClient) -> None:
    answer = client.post(
        "/v1/matches",
        input_stream=io.BytesIO(match_record_bytes()),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 202


def test_a_record_with_faults_is_refused_with_their_places(client: CheckedClient, house: House) -> None:
    record = match_record()
    record["games"][0]["actions"][0]["moves"] = "26/20"
    record["match_length"] = "long"
    answer = client.post("/v1/matches", json=record)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "unreadable_record")
    pointers = {fault["pointer"] for fault in answer.get_json()["errors"]}
    assert {"/match_length"} <= pointers
    assert house.kept() == (0, 0)


class RoomyHouse(House):
    longest_record = 20_000_000


def test_ten_megabytes_of_nested_arrays_are_refused_also_where_so_much_is_taken(
    tmp_path: Path, contract: Contract
) -> None:
    nested = b"[" * 5_000_000 + b"]" * 5_000_000
    inside = match_record_bytes(metadata=0).replace(b'"metadata": 0', b'"metadata": ' + nested)
    house = RoomyHouse(tmp_path)
    try:
        client = CheckedClient(house.app, contract, house.key)
        for body in (nested, inside):
            answer = client.post("/v1/matches", data=body, content_type="application/json")
            assert (answer.status_code, answer.get_json()["code"]) == (422, "unreadable_record")
            assert "nested too deeply" in answer.get_json()["errors"][0]["reason"]
            assert len(answer.data) < 1000
        assert house.kept() == (0, 0)
    finally:
        house.close()
