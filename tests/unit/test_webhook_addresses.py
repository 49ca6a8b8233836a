"""Which URLs are taken for webhooks, and which addresses are ever connected to."""

import pytest

from adjudicator.errors import AddressRefusedError, Place, RequestError
from adjudicator.service.webhooks.addresses import AddressPolicy, host_of, parse_allowed, parse_ports

HERE = Place(parameter="callback_url")
PUBLIC = AddressPolicy()
OWN = AddressPolicy.of("10.1.0.0/16, hooks.internal, ::1", "443")

PRIVATE_ADDRESSES = [
    "0.0.0.0",  # noqa: S104 - a place to call, not to listen at
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a00:1::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]
PUBLIC_ADDRESSES = ["8.8.8.8", "1.1.1.1", "::ffff:8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_what_is_not_public_is_not_connected_to_and_only_the_log_says_what_it_was(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(AddressRefusedError) as raised:
        PUBLIC.check_address("hooks.example", 443, address)
    assert str(raised.value) == "The host leads to no public address"
    assert f"hooks.example leads to {address}," in caplog.text


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_what_is_public_may_be_connected_to(address: str) -> None:
    PUBLIC.check_address("hooks.example", 443, address)


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_a_url_with_a_private_address_is_refused_as_it_stands(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefusedError) as raised:
        PUBLIC.check_url(f"https://{host}/hook", HERE)
    (fault,) = raised.value.faults
    assert fault.place == HERE


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0x7f.1",
        "127.0.0.1.",
        "1.2.3.4.5",
        "a.0x7f",
        "256.1.1.1",
    ],
)
def test_an_address_in_a_form_that_only_some_understand_is_refused(host: str) -> None:
    with pytest.raises(AddressRefusedError, match="neither a name nor an address"):
        PUBLIC.check_url(f"https://{host}/", HERE)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example/done?key=1",
        "https://HOOKS.example:8443/",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]:4430",
        "https://xn--d1acpjx3f.example/",
        "https://a/" + "x" * 1990,
    ],
)
def test_a_url_is_taken(url: str) -> None:
    assert PUBLIC.check_url(url, HERE) == url


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "1 to 2000 characters"),
        ("https://a/" + "x" * 1991, "1 to 2000 characters"),
        ("https://hooks.example/ä", "of ASCII"),
        ("https://hooks.example/\r\nX-Evil: 1", "without spaces"),
        ("https://hooks.example\\@10.0.0.1/", "without spaces"),
        ("http://hooks.example/", "begin with https://"),
        ("ftp://hooks.example/", "begin with https://"),
        ("hooks.example", "begin with https://"),
        ("https:///path", "begin with https:// and a host"),
        ("https://user@hooks.example/", "neither a user name nor a fragment"),
        ("https://user:pass@hooks.example/", "neither a user name nor a fragment"),
        ("https://hooks.example/#there", "neither a user name nor a fragment"),
        ("https://hooks.example/#", "neither a user name nor a fragment"),
        ("https://hooks.example:99999/", "no URL"),
        ("https://hooks.example:x/", "no URL"),
        ("https://[::1/", "no URL"),
    ],
)
def test_what_is_no_url_to_call_is_refused_with_its_place(url: str, reason: str) -> None:
    with pytest.raises(RequestError) as raised:
        PUBLIC.check_url(url, HERE)
    (fault,) = raised.value.faults
    assert (fault.place, reason in fault.reason) == (HERE, True), fault.reason


@pytest.mark.parametrize(
    "url", ["https://hooks.example:80/", "https://8.8.8.8:22/", "https://a.example:1023/"]
)
def test_a_port_that_is_not_listed_is_refused(url: str) -> None:
    with pytest.raises(AddressRefusedError, match="Port"):
        PUBLIC.check_url(url, HERE)


@pytest.mark.parametrize("host", ["bad_.example-", "-a.example", "a..example", "a%2eexample"])
def test_a_host_that_is_no_name_is_refused(host: str) -> None:
    with pytest.raises(AddressRefusedError, match="neither a name nor an address"):
        PUBLIC.check_url(f"https://{host}/", HERE)


@pytest.mark.parametrize(
    "place", ["a" * 254, "[fe80::1%" + "a" * 300 + "]", "a.example:0", "a.example:0443", "[::1]:" + "0" * 9]
)
def test_a_host_too_long_or_a_port_that_begins_with_0_is_refused_even_where_all_is_allowed(
    place: str,
) -> None:
    everywhere = AddressPolicy.of("a.example,::/0", "443")
    with pytest.raises(RequestError):
        everywhere.check_url(f"https://{place}/", HERE)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://A.example", "a.example:443"),
        ("http://a.example:/x", "a.example:80"),
        ("https://a.example:00443/", "a.example:443"),
        ("https://[2606:4700::1111]:8443/", "2606:4700::1111:8443"),
    ],
)
def test_bounds_go_by_host_and_port_however_they_are_written(url: str, host: str) -> None:
    assert host_of(url) == host


def test_what_the_operator_allows_may_be_private_at_any_port_and_without_tls() -> None:
    for url in ("http://10.1.2.3:81/", "http://hooks.internal/", "http://[::1]:9/", "https://10.1.2.3/"):
        assert OWN.check_url(url, HERE) == url
    OWN.check_address("hooks.internal", 81, "192.168.0.9")
    OWN.check_address("anything.example", 81, "10.1.2.3")
    OWN.check_address("anything.example", 81, "::ffff:10.1.2.3")


def test_what_the_operator_does_not_allow_stays_refused() -> None:
    for url in ("https://10.2.0.1/", "https://[::ffff:10.2.0.1]/"):
        with pytest.raises(AddressRefusedError):
            OWN.check_url(url, HERE)
    with pytest.raises(RequestError):
        OWN.check_url("http://hooks.example/", HERE)
    with pytest.raises(AddressRefusedError):
        OWN.check_address("hooks.example", 443, "10.2.0.1")
    with pytest.raises(AddressRefusedError, match="Port 81"):
        OWN.check_address("hooks.example", 81, "8.8.8.8")


def test_a_wrapped_address_is_allowed_only_if_the_wrapping_is_too() -> None:
    with pytest.raises(AddressRefusedError):
        AddressPolicy.of("2002::/16", "443").check_address("a.example", 443, "2002:a00:1::1")
    AddressPolicy.of("2002::/16,10.0.0.0/8", "443").check_address("a.example", 443, "2002:a00:1::1")


@pytest.mark.parametrize("text", ["10.0.0.1/8", "a b", "127.1", "*.example", "http://a.example"])
def test_a_list_that_allows_nothing_clear_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="host names and networks"):
        parse_allowed(text)


@pytest.mark.parametrize("text", ["", "x", "0", "65536", "20-10", "1-2-3", "-5", "443,", "٤٤٣"])
def test_a_list_of_no_ports_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ports"):
        parse_ports(text)
