"""Where a webhook may be sent: which URLs are taken, and which network addresses are ever connected to.

Whoever names a URL has this service make a request from inside its operator's network. So only public
addresses are called, but for those that the operator allows.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from adjudicator.errors import AddressRefusedError, Fault, Place, RequestError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

logger = logging.getLogger(__name__)

LONGEST_URL = 2000
LONGEST_HOST = 253
DEFAULT_PORTS = {"https": 443, "http": 80}
HIGHEST_PORT = 65535

PRINTABLE = re.compile(r"[!-~]+")
HOST_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*")
ODD_PORT = re.compile(r":0[0-9]*\Z")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")

GLOBAL_UNICAST = IPv6Network("2000::/3")
DOCUMENTATION = IPv6Network("3fff::/20")
NAT64 = IPv6Network("64:ff9b::/96")
NOT_RECEIVERS = (
    IPv4Network("168.63.129.16/32"),  # the metadata server of a cloud; the others' are private addresses
    IPv4Network("192.0.0.0/24"),  # protocol assignments, of which Python holds some to be global
    IPv4Network("192.88.99.0/24"),  # relays from IPv4 to IPv6
)
"""Public by their looks only."""

NOT_PUBLIC = "{} is not a public address"
NO_PUBLIC = "The host leads to no public address"
"""All that is said of what a name leads to: how names are resolved in here is nobody's business out there."""
ODD_ADDRESS = "{!r} is neither a name nor an address as four decimal numbers"


def parse_allowed(text: str) -> "tuple[frozenset[str], tuple[Network, ...]]":
    """The host names and the networks of a list parted by commas.

    >>> parse_allowed("hooks.example, 10.0.0.0/8")
    (frozenset({'hooks.example'}), (IPv4Network('10.0.0.0/8'),))

    Raises: ValueError that says what a good list is.
    """
    names: set[str] = set()
    networks: list[Network] = []
    for entry in filter(None, (part.strip().lower() for part in text.split(","))):
        try:
            networks.append(ip_network(entry))
        except ValueError as error:
            if not HOST_NAME.fullmatch(entry) or _is_number(entry):
                raise ValueError("a list of host names and networks (10.0.0.0/8), by commas") from error
            names.add(entry)
    return frozenset(names), tuple(networks)


def parse_ports(text: str) -> tuple[range, ...]:
    """The ports of a list of ports and spans parted by commas.

    >>> parse_ports("443, 1024-65535")
    (range(443, 444), range(1024, 65536))

    Raises: ValueError that says what a good list is.
    """
    spans = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        span = [int(number) for number in (first, last or first) if re.fullmatch(" *[0-9]{1,5} *", number)]
        if len(span) != 2 or not 1 <= span[0] <= span[1] <= HIGHEST_PORT:
            raise ValueError("a list of ports and spans of them (443,1024-65535), by commas")
        spans.append(range(span[0], span[1] + 1))
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What may be called: public addresses by https at ``ports``, and whatever the operator allows.

    A host in ``names``, by its name, and an address in ``networks`` may be called though private, at any
    port, and by http too where the URL itself says that it is one of them.
    """

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()
    ports: tuple[range, ...] = (range(443, 444), range(1024, HIGHEST_PORT + 1))

    @classmethod
    def of(cls, allowed: str, ports: str) -> "AddressPolicy":
        """The policy of two settings; see ``parse_allowed`` and ``parse_ports``."""
        names, networks = parse_allowed(allowed)
        return cls(names, networks, parse_ports(ports))

    def check_url(self, url: str, place: Place) -> str:
        """Lets pass a URL that may be called as far as the URL alone can tell.

        What a name leads to is not looked at here, but each time before it is called (``check_address``).

        Raises: RequestError for what is no such URL, AddressRefusedError for one that is not called.
        """
        if not (PRINTABLE.fullmatch(url) and "\\" not in url and len(url) <= LONGEST_URL):
            raise _wrong(f"A URL has 1 to {LONGEST_URL} characters, of ASCII, without spaces", place)
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise _wrong(f"This is no URL: {error}", place) from error
        if parts.scheme not in DEFAULT_PORTS or not host:
            raise _wrong("The URL has to begin with https:// and a host", place)
        if "@" in parts.netloc or "#" in url:
            raise _wrong("The URL may have neither a user name nor a fragment", place)
        if len(host) > LONGEST_HOST or ODD_PORT.search(parts.netloc):
            reason = f"The host may have {LONGEST_HOST} characters, and its port may not begin with 0"
            raise _wrong(reason, place)
        self._check_host(parts, host, port or DEFAULT_PORTS[parts.scheme], place)
        return url

    def check_address(self, host: str, port: int, address: str) -> None:
        """Lets pass an address that ``host`` was found to have, if it may be called.

        Raises: AddressRefusedError.
        """
        faces = tuple(_faces(ip_address(address)))
        if host.lower() in self.names or all(map(self._is_allowed, faces)):
            return
        if not all(self._is_allowed(face) or _is_public(face) for face in faces):
            logger.warning("%s leads to %s, which is not called", host, address)
            raise AddressRefusedError(NO_PUBLIC)
        if not any(port in span for span in self.ports):
            raise AddressRefusedError(f"Port {port} is not called here")

    def _check_host(self, parts: SplitResult, host: str, port: int, place: Place) -> None:
        address = _literal(host)
        if address is None and (_is_number(host) or not HOST_NAME.fullmatch(host)):
            raise _refused(ODD_ADDRESS.format(host), place)
        is_own = host in self.names or (address is not None and all(map(self._is_allowed, _faces(address))))
        if is_own:
            return
        if address is not None and not all(map(_is_public, _faces(address))):
            raise _refused(NOT_PUBLIC.format(host), place)
        if parts.scheme != "https":
            raise _wrong("The URL has to begin with https://", place)
        if not any(port in span for span in self.ports):
            raise _refused(f"Port {port} is not called here", place)

    def _is_allowed(self, address: Address) -> bool:
        return any(address in network for network in self.networks)


def host_of(url: str) -> str:
    """The host of a URL with its port, however they are written: what bounds by host go by.

    >>> host_of("https://Hooks.example:8443/done"), host_of("https://hooks.example")
    ('hooks.example:8443', 'hooks.example:443')
    """
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or DEFAULT_PORTS[parts.scheme]}"


def _literal(host: str) -> Address | None:
    """The address that a host is written as, ``None`` for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_number(host: str) -> bool:
    """Whether a host ends in a number: some systems read addresses into such (``127.1``, ``0x7f000001``).

    >>> _is_number("2130706433"), _is_number("0177.0.0.0x1"), _is_number("a.example")
    (True, True, False)
    """
    return NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None


def _faces(address: Address) -> Iterator[Address]:
    """The addresses that a packet to this one may come out at: itself, and what it is a wrapping of.

    >>> [str(face) for face in _faces(ip_address("::ffff:10.0.0.1"))]
    ['10.0.0.1']
    >>> [str(face) for face in _faces(ip_address("64:ff9b::a00:1"))]
    ['64:ff9b::a00:1', '10.0.0.1']
    """
    if isinstance(address, IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    yield address
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if address in NAT64:
        yield IPv4Address(int(address) & 0xFFFF_FFFF)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address):
        is_unicast = address in GLOBAL_UNICAST and address not in DOCUMENTATION
        return address in NAT64 or (is_unicast and address.is_global)
    is_receiver = not any(address in network for network in NOT_RECEIVERS)
    return address.is_global and not address.is_multicast and is_receiver


def _wrong(reason: str, place: Place) -> RequestError:
    return RequestError("This URL is not taken.", [Fault(reason, place)])


def _refused(reason: str, place: Place) -> AddressRefusedError:
    return AddressRefusedError("This address is not called from here.", [Fault(reason, place)])
