"""Network interfaces and a key for tests of the local network."""

from ipaddress import IPv4Address

from server.lan.interfaces import Interface

KEY = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def interface(name: str, address: str, prefix: int = 24) -> Interface:
    """One of a machine."""
    return Interface(name, IPv4Address(address), prefix)


WIFI, CABLE = interface("wlan0", "192.168.1.23"), interface("eth0", "10.0.0.5", 8)
