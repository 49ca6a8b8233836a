"""Laws of which addresses are called."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import NOWHERE, AddressRefusedError
from adjudicator.service.webhooks.addresses import AddressPolicy

PUBLIC = AddressPolicy()
ANY_IPV4 = st.ip_addresses(v=4)


def is_called(address: str) -> bool:
    try:
        PUBLIC.check_address("hooks.example", 443, address)
    except AddressRefusedError:
        return False
    return True


@given(ANY_IPV4, st.sampled_from(["::ffff:0:0", "64:ff9b::"]))
def test_an_ipv4_address_in_ipv6_is_called_as_the_address_itself_is(
    address: IPv4Address, prefix: str
) -> None:
    wrapped = IPv6Address(int(IPv6Address(prefix)) | int(address))
    assert is_called(str(wrapped)) == is_called(str(address))


@given(ANY_IPV4, st.integers(0, 2**80 - 1))
def test_6to4_leads_nowhere_that_the_address_in_it_does_not(address: IPv4Address, rest: int) -> None:
    wrapped = IPv6Address((0x2002 << 112) | (int(address) << 80) | rest)
    assert is_called(str(address)) or not is_called(str(wrapped))


@given(st.ip_addresses())
def test_what_is_called_is_global_by_the_register_too(address: IPv4Address | IPv6Address) -> None:
    assert ip_address(address).is_global or not is_called(str(address))


@given(st.ip_addresses(v=6))
def test_of_ipv6_only_what_is_given_out_is_called(address: IPv6Address) -> None:
    first = int(address) >> 125
    is_nat64 = int(address) >> 32 == int(IPv6Address("64:ff9b::")) >> 32
    is_mapped = address.ipv4_mapped is not None
    assert first == 1 or is_nat64 or is_mapped or not is_called(str(address))


@given(st.ip_addresses())
def test_a_url_with_an_address_is_judged_as_the_address_is(address: IPv4Address | IPv6Address) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    if is_called(str(address)):
        PUBLIC.check_url(f"https://{host}/", NOWHERE)
    else:
        with pytest.raises(AddressRefusedError):
            PUBLIC.check_url(f"https://{host}/", NOWHERE)
