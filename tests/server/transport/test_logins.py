"""The identity after any order of login requests is the key whose signature was verified last, or none (attack 15)."""

import asyncio
import random
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.limits import LOGIN_KEYS
from tests.soak import Figure, long
from tests.support.logins import FAILURE, KEY_IS_FINE, SUCCESS, KnownKey, Login, ssh_carrier
from tests.support.people import RunningServer
from tests.support.ssh_keys import keys_proved, write_key

LOGINS: Final = long(150, 100_000)
"""`make soak` tries 100,000."""
HOME: Final = ip_address("192.0.2.7")
VICTIM, MINE, OTHER = KnownKey(), KnownKey(), KnownKey()

Request = Callable[[Login], bytes]

ORDERS: Final[dict[str, tuple[list[Request], str | None]]] = {
    "probe A, sign B, probe A": (
        [lambda at: at.probe(VICTIM), lambda at: at.sign(MINE), lambda at: at.probe(VICTIM)],
        MINE.fingerprint,
    ),
    "probe A, guest": ([lambda at: at.probe(VICTIM), lambda at: at.guest()], None),
    "sign A with B, guest": ([lambda at: at.sign(VICTIM, MINE), lambda at: at.guest()], None),
    "garbage for A, sign B": ([lambda at: at.garbage(VICTIM), lambda at: at.sign(MINE)], MINE.fingerprint),
    "sign A of another connection, sign B": (
        [lambda at: at.sign(VICTIM, elsewhere=True), lambda at: at.sign(MINE)],
        MINE.fingerprint,
    ),
    "none, probe B, probe A, guest": (
        [lambda at: at.nothing(), lambda at: at.probe(MINE), lambda at: at.probe(VICTIM), lambda at: at.guest()],
        None,
    ),
    "probe A as ana, sign B as bo": (
        [lambda at: at.probe(VICTIM, "ana"), lambda at: at.sign(MINE, name="bo")],
        MINE.fingerprint,
    ),
    "sign B, sign A with B": ([lambda at: at.sign(MINE), lambda at: at.sign(VICTIM, MINE)], MINE.fingerprint),
}


@pytest.mark.parametrize("order", ORDERS)
async def test_an_order_proves_what_was_signed(order: str) -> None:
    """The requests come one after the other."""
    requests, identity = ORDERS[order]
    login = Login(ssh_carrier(), HOME)
    for request in requests:
        login.send(request(login))
        await login.settle()
    assert login.succeeded
    assert login.key == identity


@pytest.mark.parametrize("order", ORDERS)
async def test_requests_in_flight_prove_no_more(order: str) -> None:
    """All come at once: whichever is carried out, the identity is never the victim's."""
    requests, identity = ORDERS[order]
    login = Login(ssh_carrier(), HOME)
    login.send(*(request(login) for request in requests))
    await login.settle()
    if login.succeeded:
        assert login.key in {identity, None, MINE.fingerprint}
    login.hang_up()


async def test_a_question_about_a_key_is_answered_alike_for_all() -> None:
    """A probe says that the key would do, a forged signature fails, a true one succeeds."""
    login = Login(ssh_carrier(), HOME)
    answers: list[int] = []
    for request in (login.probe(VICTIM), login.garbage(VICTIM), login.probe(MINE), login.sign(MINE)):
        login.send(request)
        await login.settle()
        answers.append(login.answers[len(answers) + 1])
    assert answers == [KEY_IS_FINE, FAILURE, KEY_IS_FINE, SUCCESS]


async def test_any_sequence_of_requests_proves_only_what_was_signed(figure: Figure) -> None:
    """14, 15, 16: random probes, forgeries, guests and true signatures, some at the same time, some broken off."""
    chance = random.Random(15)
    carrier = ssh_carrier()
    mine = {key.fingerprint for key in (MINE, OTHER)}
    came_in = 0
    for number in range(LOGINS):
        login = Login(carrier, HOME)
        lies: list[Request] = [
            lambda at: at.probe(VICTIM),
            lambda at: at.probe(MINE),
            lambda at: at.garbage(VICTIM),
            lambda at: at.sign(VICTIM, MINE),
            lambda at: at.sign(VICTIM, elsewhere=True),
            lambda at: at.sign(MINE, elsewhere=True),
            lambda at: at.nothing(),
        ]
        truths: list[tuple[Request, str | None]] = [
            (lambda at: at.guest(), None),
            (lambda at: at.sign(MINE), MINE.fingerprint),
            (lambda at: at.sign(OTHER), OTHER.fingerprint),
        ]
        in_flight: set[str | None] = set()
        for _ in range(chance.randrange(1, 8)):
            if chance.random() < 0.75:
                request = chance.choice(lies)
            else:
                request, proven = chance.choice(truths)
                in_flight.add(proven)
            login.send(request(login))
            if chance.random() < 0.5:
                await login.settle()
                if login.succeeded:
                    break
                # What came before was overtaken by another request, or was a lie.
                in_flight.clear()
            elif chance.random() < 0.2:
                await asyncio.sleep(0)
        if chance.random() < 0.1:
            login.hang_up()
        await login.settle()
        if login.succeeded:
            came_in += 1
            assert login.key in in_flight, f"login {number}: {login.key} of {in_flight}"
            assert login.key in mine | {None}
        login.hang_up()
    figure(f"{LOGINS:,} sequences of requests to log in, {came_in:,} came in, 0 wrong")
    assert came_in > LOGINS / 4


async def test_a_connection_that_probes_many_keys_is_cut() -> None:
    """16: probes count, too."""
    login = Login(ssh_carrier(), HOME)
    for _ in range(100):
        if login.cut:
            break
        login.send(login.probe(KnownKey()))
        await login.settle()
    assert login.cut
    assert login.answers.count(KEY_IS_FINE) == LOGIN_KEYS


@pytest.mark.needs("ssh")
@pytest.mark.parametrize(
    ("files", "known_by"),
    [
        pytest.param(["mine"], "mine", id="a key"),
        pytest.param(["victim.pub"], None, id="the public half of somebody's key"),
        pytest.param(["liar"], None, id="it beside a private key of one's own"),
        pytest.param(["victim.pub", "mine"], "mine", id="it, then a key of one's own"),
        pytest.param(["liar", "mine", "victim.pub"], "mine", id="all of these"),
    ],
)
async def test_openssh_is_identified_by_the_key_that_it_signs_with(
    open_server: RunningServer, tmp_path: Path, files: list[str], known_by: str | None
) -> None:
    """`ssh -i`: the real client asks about every key that it is given, and signs with those that it has."""
    mine, victim = asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key("ssh-ed25519")
    write_key(tmp_path / "mine", mine)
    write_key(tmp_path / "liar", asyncssh.generate_private_key("ssh-ed25519"), victim)
    victim.write_public_key(tmp_path / "victim.pub")
    keys = [word for file in files for word in ("-i", str(tmp_path / file))]
    process = await asyncio.create_subprocess_exec(
        *open_server.openssh("-T", *keys, "victim@127.0.0.1"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readuntil(b"Welcome"), 10)
    assert keys_proved(open_server) == [mine.get_fingerprint() if known_by else None]
    process.stdin.close()
    assert await process.wait() == 0


async def test_a_taken_or_reserved_name_is_changed(open_server: RunningServer) -> None:
    """A player who wishes for such a name gets one like it."""
    async with (
        open_server.person("ana") as first,
        open_server.person("ANA") as second,
        open_server.person("admin") as third,
    ):
        assert "welcome, ana " in await first.until("lobby>")
        assert "welcome, ANA2 " in await second.until("lobby>")
        assert "welcome, admin2 " in await third.until("lobby>")
