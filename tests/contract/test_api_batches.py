"""``POST /v1/batches`` and ``GET /v1/batches``."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from adjudicator.api.context import begin_transfer
from adjudicator.config import Settings
from adjudicator.errors import StoreUnavailableError
from tests.archives import numbered_files, numbered_record, record_lines, tarred, zipped
from tests.contract.contract import CheckedClient
from tests.contract.harness import ENGINE, House
from tests.contract.records import MAT
from tests.receiver import open_receiver

ZIP, TAR, GZIP = "application/zip", "application/x-tar", "application/gzip"
LINES, BYTES = "application/x-ndjson", "application/octet-stream"
FILES = numbered_files(3)


def told(client: CheckedClient, batch: dict[str, Any]) -> dict[str, str]:
    """By the name of each member its status, or all that is said against it."""
    members = client.get(f"/v1/batches/{batch['id']}/members").get_json()["members"]
    return {member["name"]: str(member.get("error", member["status"])) for member in members}


def count_batches(client: CheckedClient) -> int:
    return len(client.get("/v1/batches").get_json()["batches"])


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        pytest.param(zipped(FILES), ZIP, id="zip"),
        pytest.param(tarred(FILES, "w"), TAR, id="tar"),
        pytest.param(tarred(FILES, "w:gz"), GZIP, id="tar.gz"),
        pytest.param(record_lines(3), LINES, id="ndjson"),
        *(
            pytest.param(content, BYTES, id=f"{name} without a type")
            for name, content in (
                ("zip", zipped(FILES)),
                ("tar", tarred(FILES, "w")),
                ("tar.gz", tarred(FILES, "w:gz")),
                ("ndjson", record_lines(3)),
            )
        ),
        pytest.param(zipped(FILES), TAR, id="the content decides"),
    ],
)
def test_an_archive_is_taken_and_worked_off(
    client: CheckedClient, house: House, content: bytes, content_type: str
) -> None:
    answer = client.post("/v1/batches", data=content, content_type=content_type)
    assert answer.status_code == 202
    batch = answer.get_json()
    assert answer.headers["Location"] == f"/v1/batches/{batch['id']}"
    assert (batch["status"], batch["members"], batch["faults"]) == ("running", 3, [])
    assert batch["options"] == {"ruleset": "happy-end", "engine": ENGINE}
    assert house.kept() == (0, 0)
    house.work_batches()
    assert house.kept() == (3, 3)
    assert client.get(answer.headers["Location"]).get_json()["status"] == "done"


@pytest.mark.parametrize("content", [zipped(FILES), tarred(FILES), record_lines(3)])
def test_a_form_with_a_file_is_taken(client: CheckedClient, content: bytes) -> None:
    form = {"file": (io.BytesIO(content), "a/b/season\t 2024.zip")}
    batch = client.post("/v1/batches", data=form).get_json()
    assert (batch["members"], batch["name"]) == (3, "season 2024.zip")


def test_a_part_may_say_that_it_is_lines(client: CheckedClient) -> None:
    form = {"file": (io.BytesIO(record_lines(1)), "a", LINES)}
    assert client.post("/v1/batches", data=form).get_json()["members"] == 1


@pytest.mark.parametrize(
    ("form", "parameter"),
    [
        ({"archive": (io.BytesIO(zipped(FILES)), "a.zip")}, "archive"),
        ({"file": (io.BytesIO(zipped(FILES)), "a.zip"), "other": "x"}, "other"),
        ({"file": [(io.BytesIO(zipped(FILES)), "a.zip"), (io.BytesIO(b"x"), "b.zip")]}, "file"),
        ({"file": "no name"}, "file"),
        ({}, None),
    ],
)
def test_another_form_is_refused_and_nothing_kept(
    client: CheckedClient, form: dict[str, Any], parameter: str | None
) -> None:
    answer = client.post("/v1/batches", data=form, content_type="multipart/form-data")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    if parameter is not None:
        assert answer.get_json()["errors"][0]["parameter"] == parameter
    assert count_batches(client) == 0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no form", id="no form"),
        pytest.param(b"--x\r\n" + b"a" * 300_000, id="a head without end"),
        pytest.param(b"--x\r\n\r\n\r\n--x--", id="no disposition"),
        pytest.param(
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nPK', id="cut off"
        ),
    ],
)
def test_what_is_no_form_is_refused(client: CheckedClient, body: bytes) -> None:
    answer = client.post("/v1/batches", data=body, content_type="multipart/form-data; boundary=x")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert client.post("/v1/batches", data=body, content_type="multipart/form-data").status_code == 400
    assert count_batches(client) == 0


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        pytest.param(b"", ZIP, 400, "bad_request", id="nothing"),
        pytest.param(MAT, BYTES, 422, "unknown_format", id="a record"),
        pytest.param(numbered_record(1), BYTES, 422, "unknown_format", id="a JSON record"),
        pytest.param(zipped([]), ZIP, 422, "unreadable_record", id="an empty zip"),
        pytest.param(tarred([]), GZIP, 422, "unreadable_record", id="an empty tar"),
        pytest.param(zipped(FILES)[:-30], ZIP, 422, "unreadable_record", id="a zip without its end"),
        pytest.param(MAT, "text/plain", 415, "unsupported_media_type", id="wrong type"),
        pytest.param(b"x" * 3_000_001, BYTES, 413, "too_large", id="a long body"),
        pytest.param(b"{}\n" * 1001, LINES, 413, "too_large", id="many members"),
    ],
)
def test_what_cannot_be_a_batch_is_refused(
    client: CheckedClient, content: bytes, content_type: str, status: int, code: str
) -> None:
    answer = client.post("/v1/batches", data=content, content_type=content_type)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)
    assert count_batches(client) == 0


def test_a_gzipped_body_is_inflated_while_it_comes(client: CheckedClient) -> None:
    headers = {"Content-Encoding": "gzip"}
    for content, content_type in ((record_lines(3), LINES), (zipped(FILES), ZIP), (tarred(FILES, "w"), TAR)):
        packed = gzip.compress(content)
        answer = client.post("/v1/batches", data=packed, content_type=content_type, headers=headers)
        assert (answer.status_code, answer.get_json()["members"]) == (202, 3)


def test_a_gzipped_body_beyond_the_limit_or_damaged_is_refused(client: CheckedClient) -> None:
    headers = {"Content-Encoding": "gzip"}
    for content, status in (
        (gzip.compress(b" " * 4_000_000), 413),
        (gzip.compress(record_lines(3))[:-9], 400),
    ):
        answer = client.post("/v1/batches", data=content, content_type=LINES, headers=headers)
        assert answer.status_code == status
    other = client.post("/v1/batches", data=b"x", content_type=LINES, headers={"Content-Encoding": "br"})
    assert other.status_code == 415
    assert count_batches(client) == 0


def test_a_body_that_breaks_off_is_refused_and_nothing_kept(client: CheckedClient) -> None:
    whole = tarred(numbered_files(300), "w")
    answer = client.post(
        "/v1/batches",
        input_stream=io.BytesIO(whole[:-1]),
        content_type=TAR,
        environ_overrides={"CONTENT_LENGTH": str(len(whole))},
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert "broke off" in answer.get_json()["detail"]
    assert count_batches(client) == 0


def test_of_a_damaged_archive_what_came_before_is_kept(client: CheckedClient, house: House) -> None:
    whole = bytearray(tarred(FILES, "w"))
    whole[2 * 1024 + 148 : 2 * 1024 + 156] = b"damaged!"
    batch = client.post("/v1/batches", data=bytes(whole), content_type=TAR).get_json()
    assert batch["members"] == 2
    (fault,) = batch["faults"]
    assert "broken at byte" in fault["reason"]
    assert fault["file"] == "2.json"
    house.work_batches()
    progress = client.get(f"/v1/batches/{batch['id']}").get_json()
    assert (progress["status"], progress["counts"]["done"]) == ("done", 2)
    assert progress["faults"] == [fault]


def linked(kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo("link.mat")
    info.type = kind
    info.linkname = "/etc/passwd"
    return info


def hostile_tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name in ("../up.json", "/root.json", "twice.json", "twice.json", "good.json"):
            info = tarfile.TarInfo(name)
            content = numbered_record(1)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)):
            info = linked(kind)
            info.name = f"{number}.mat"
            archive.addfile(info)
    return out.getvalue()


def test_hostile_members_are_told_and_the_others_go_on(client: CheckedClient, house: House) -> None:
    batch = client.post("/v1/batches", data=hostile_tar(), content_type=GZIP).get_json()
    house.work_batches()
    members = client.get(f"/v1/batches/{batch['id']}/members").get_json()["members"]
    reasons = [member["error"]["errors"][0]["reason"] for member in members if "error" in member]
    assert reasons == [
        "its name leads out of the archive: it holds '..'",
        "its name leads out of the archive: it is absolute",
        "a member of the same name came before it",
        "it is a symbolic link; only files are read",
        "it is a hard link; only files are read",
        "it is a device; only files are read",
        "it is a named pipe; only files are read",
    ]
    assert [member["name"] for member in members if member["status"] == "done"] == ["twice.json", "good.json"]


def encrypted() -> bytes:
    raw = bytearray(zipped([("a.json", numbered_record(1))]))
    raw[6] |= 1
    raw[raw.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.mat", bytes(150_000_000))
        archive.writestr("good.json", numbered_record(1))
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        pytest.param(encrypted, "a.json", "it is encrypted", id="encrypted"),
        pytest.param(bomb, "bomb.mat", "more than 200000 bytes", id="bomb"),
        pytest.param(lambda: zipped([("b.zip", zipped(FILES))]), "b.zip", "within an archive", id="nested"),
    ],
)
def test_a_hostile_zip_is_told_by_its_members(
    client: CheckedClient, content: Callable[[], bytes], name: str, said: str
) -> None:
    batch = client.post("/v1/batches", data=content(), content_type=ZIP).get_json()
    assert said in told(client, batch)[name]


def test_a_packed_bomb_is_refused_whole(client: CheckedClient) -> None:
    content = tarred([("a.json", numbered_record(1)), ("bomb.mat", bytes(150_000_000))])
    answer = client.post("/v1/batches", data=content, content_type=GZIP)
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert count_batches(client) == 0


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("ruleset=other", "ruleset"),
        ("engine=other", "engine"),
        ("finish=never", "finish"),
        ("format=other", "format"),
        ("name=mine", "name"),
        ("callback=x", "callback"),
    ],
)
def test_wrong_options_are_refused(client: CheckedClient, query: str, parameter: str) -> None:
    answer = client.post(f"/v1/batches?{query}", data=zipped(FILES), content_type=ZIP)
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (400, parameter)
    assert count_batches(client) == 0


def test_the_options_are_those_of_all_members(client: CheckedClient, house: House) -> None:
    query = "finish=exact_or_double&indifference=0.5&format=match_record"
    batch = client.post(f"/v1/batches?{query}", data=zipped(FILES), content_type=ZIP).get_json()
    assert batch["options"] == {
        "ruleset": "happy-end",
        "engine": ENGINE,
        "finish": "exact_or_double",
        "indifference": 0.5,
        "format": "match_record",
    }
    house.work_batches()
    members = client.get(f"/v1/batches/{batch['id']}/members").get_json()["members"]
    for member in members:
        ruleset = client.get(f"/v1/adjudications/{member['adjudication_id']}").get_json()["ruleset"]
        assert (ruleset["finish"], ruleset["indifference"]) == ("exact_or_double", 0.5)


def test_so_many_transfers_go_on_at_once_and_no_more(client: CheckedClient, house: House) -> None:
    with house.app.app_context():
        ends = [begin_transfer(f"o{number}") for number in range(Settings().threads // 4)]
    answer = client.post("/v1/batches", data=zipped(FILES), content_type=ZIP)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "busy")
    assert int(answer.headers["Retry-After"]) > 0
    ends[0]()
    for _ in range(3):
        assert client.post("/v1/batches", data=zipped(FILES), content_type=ZIP).status_code == 202


def test_one_owner_has_half_of_the_transfers(client: CheckedClient, house: House) -> None:
    with house.app.app_context():
        ends = [begin_transfer("local") for _ in range(Settings().threads // 8)]
        begin_transfer("somebody")()
    answer = client.post("/v1/batches", data=zipped(FILES), content_type=ZIP)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "busy")
    ends[0]()
    assert client.post("/v1/batches", data=zipped(FILES), content_type=ZIP).status_code == 202


def test_a_key_is_free_again_when_its_batch_could_not_be_kept(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send() -> TestResponse:
        headers = {"Idempotency-Key": "order-1"}
        return client.post("/v1/batches", data=record_lines(2), content_type=LINES, headers=headers)

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as broken:
        broken.setattr(house.batch_store, "complete", away)
        assert send().status_code == 503
    assert send().status_code == 202
    assert len(client.get("/v1/batches").get_json()["batches"]) == 1


def test_a_batch_that_was_given_up_before_its_end_is_to_be_sent_again(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = house.batch_store.complete

    def given_up(batch_id: str, **ends: Any) -> None:
        while house.batch_store.discard(batch_id, limit=1):
            pass
        complete(batch_id, **ends)

    monkeypatch.setattr(house.batch_store, "complete", given_up)
    answer = client.post("/v1/batches", data=record_lines(2), content_type=LINES)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_unavailable")


def test_batches_are_listed_page_by_page_the_latest_first(client: CheckedClient) -> None:
    sent = [
        client.post("/v1/batches", data=record_lines(1), content_type=LINES).get_json()["id"]
        for _ in range(60)
    ]
    first = client.get("/v1/batches").get_json()
    second = client.get(f"/v1/batches?cursor={first['next_cursor']}").get_json()
    assert [batch["id"] for batch in first["batches"] + second["batches"]] == sent[::-1]
    assert len(first["batches"]) == 50
    assert second["next_cursor"] is None


@pytest.mark.parametrize("cursor", ["", "x", "1", "-1-b" + "a" * 25, "1-b", "1" * 30 + "-b" + "a" * 25])
def test_a_cursor_that_was_not_given_here_is_refused(client: CheckedClient, cursor: str) -> None:
    answer = client.get(f"/v1/batches?cursor={cursor}")
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (400, "cursor")


def test_a_batch_sent_again_under_its_key_is_the_same_batch(client: CheckedClient, house: House) -> None:
    def send(content: bytes, key: str = "order-1") -> TestResponse:
        return client.post("/v1/batches", data=content, content_type=LINES, headers={"Idempotency-Key": key})

    first, again, other = send(record_lines(2)), send(record_lines(2)), send(record_lines(2), "order-2")
    assert again.get_json() == first.get_json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert other.get_json()["id"] != first.get_json()["id"]
    assert len(client.get("/v1/batches").get_json()["batches"]) == 2
    refused = send(record_lines(3))
    assert (refused.status_code, refused.get_json()["code"]) == (422, "idempotency_key_reused")
    assert len(client.get("/v1/batches").get_json()["batches"]) == 2


def test_the_callback_is_told_when_the_batch_is_done(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        sent = client.post(
            f"/v1/batches?callback_url={receiver.url}", data=record_lines(2), content_type=LINES
        ).get_json()
        house.batches.step()
        house.work()
        house.batches.step()
        house.send()
        event = json.loads(receiver.next().body)
    assert (event["type"], event["data"]["id"], event["data"]["members"]) == ("batch.done", sent["id"], 2)
    assert client.get(event["data"]["location"]).get_json()["status"] == "done"


def test_a_callback_that_is_not_called_is_refused_before_anything_is_kept(client: CheckedClient) -> None:
    address = "/v1/batches?callback_url=https://169.254.169.254/latest"
    answer = client.post(address, data=record_lines(1), content_type=LINES)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "address_refused")
    assert client.get("/v1/batches").get_json()["batches"] == []
