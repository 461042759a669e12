"""Names that look alike: which do, which do not, and that no player gets one like another's."""

import random

from wcwidth import wcswidth

from server.clean_text import clean_name
from server.limits import NAME_LENGTH
from server.people.names import RESERVED_NAMES, NamesInUse, is_nobodys, looks, names_near, skeleton
from tests.soak import long
from tests.support.each import for_each

GREEK_NU = "\u03bd\u03af\u03ba\u03bf\u03c2"


def free_beside(wished: str, taken: list[str], player_id: str = "guest:new") -> str:
    """The name that a player gets beside others with these names."""
    in_use = NamesInUse()
    for number, name in enumerate(taken):
        in_use.put(number, {f"guest:{number}": name})
    return next(name for name in names_near(wished, player_id) if in_use.is_free(name, player_id))


def alike(one: str, other: str) -> bool:
    """Whether one name might be taken for the other, as shown or as typed."""
    return bool({skeleton(one), skeleton(one.casefold())} & {skeleton(other), skeleton(other.casefold())})


@for_each(
    ("one", "other"),
    [
        ("ana", "Ana"),
        ("ADMIN", "admin"),
        ("b0b", "bob"),
        ("B0B", "bOb"),
        ("Ian", "lan"),
        ("1an", "Ian"),
        ("adm1n", "admin"),
        ("M1KE", "mike"),
        ("rnax", "Max"),
        ("vvill", "will"),
        ("VViIl", "will"),
        ("\u0430n\u0430", "ana"),  # Cyrillic a
        ("\u0412\u041e\u0412", "BOB"),  # Cyrillic capitals
        ("\u0412\u041e\u0412", "bob"),
        ("\u0432\u043e\u0432", "BOB"),  # Cyrillic small letters, which look like small capitals
        ("\u0410da", "ada"),
        ("ADM\u0406N", "admin"),  # Ukrainian I
        ("d\u03b1ve", "dave"),  # Greek alpha
        ("da\u03bde", "dave"),  # Greek nu
        ("\u03a7\u0391\u039d", "XAN"),  # Greek capitals
        ("\u0392\u039f\u0392", "\u0412\u041e\u0412"),  # Greek and Cyrillic
        ("\uff41\uff4e\uff41", "ana"),  # full width
        ("\U0001d41a\U0001d427\U0001d41a", "ana"),  # mathematical bold
        ("\U0001d4d0da", "Ada"),  # mathematical script
        ("\u24d0\u24dd\u24d0", "ana"),  # in circles
        ("\u1d00\u1d05\u1d00", "ada"),  # small capitals
        ("\u13aada", "\u13aa\u1d05a"),  # Cherokee, small capital
        ("sol\u0131", "soli"),  # i without a dot
        ("zo\u00e9", "zoe\u0301"),  # one character or two
        ("ana\u0662", "ana\u06f2"),  # Arabic and Persian two
        ("\u042f\u043d\u0430", "\u044f\u043d\u0430"),  # letters that have no look-alike, in either case
        ("\u039d" + GREEK_NU[1:], GREEK_NU),  # N and v, but one letter
        ("stra\u00dfe", "STRASSE"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    """Across scripts, widths, fonts, cases and spellings, in any order."""
    assert alike(one, other)
    assert alike(other, one)
    assert free_beside(one, [other]) != clean_name(one)
    assert free_beside(other, [one]) != clean_name(other)


@for_each(
    ("one", "other"),
    [
        ("ana", "ana2"),
        ("ana2", "ana3"),
        ("ana2", "ana22"),
        ("ana2", "anaz"),
        ("bob", "rob"),
        ("sol5", "sols"),
        ("jos\u00e9", "jose"),
        ("van", "nan"),
        ("dan", "clan"),
        ("a-b", "a_b"),
        ("a.b", "ab"),
        ("uma", "yma"),
        ("\u65e5\u672c", "\u65e5\u6728"),
        ("\u042f\u043d\u0430", "\u0410\u043d\u0430"),
        ("\u0413\u043e\u0448\u0430", "\u0420\u043e\u0448\u0430"),
        ("", "a"),
    ],
)
def test_names_that_do_not(one: str, other: str) -> None:
    """What can be told apart may be used side by side; a number of ours makes a name another one."""
    assert not alike(one, other)
    assert skeleton(one) != skeleton(other)


def test_a_character_may_look_like_several() -> None:
    """Devanagari II, and what it is drawn like."""
    assert skeleton("\u0908") == skeleton("\u0930\u094d\u0907")


def test_a_skeleton_is_its_own_skeleton() -> None:
    """For every character there is, and for text at random."""
    chance = random.Random(3)
    letters = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    texts = ["".join(chance.choices(letters, k=16)) for _ in range(long(500, 5_000))]
    for text in letters + texts:
        assert skeleton(skeleton(text)) == skeleton(text)


@for_each("name", ["quatch", "Y0u", "h\u043est", "\uff21dmin", "adm1n", "FREE"])
def test_what_the_server_calls_itself_is_reserved(name: str) -> None:
    """Nor may anything be like it."""
    assert free_beside(name, []) == f"{clean_name(name)}2"


@for_each(
    ("wished", "taken", "name"),
    [
        ("ana", [], "ana"),
        ("ana", ["bo"], "ana"),
        ("ana", ["ana"], "ana2"),
        ("\u0430na", ["ana"], "\u0430na2"),
        ("ana", ["ana", "an\u04302"], "ana3"),
        ("Ali", ["bo"], "Ali"),
        ("", [], "guest"),
        ("\x1b[31m", ["guest"], "guest2"),
        ("x" * 40, ["x" * NAME_LENGTH], "x" * (NAME_LENGTH - 1) + "2"),
        ("\u6f22" * 8, ["\u6f22" * 8], "\u6f22" * 7 + "2"),
    ],
)
def test_a_taken_name_gets_a_number(wished: str, taken: list[str], name: str) -> None:
    """A free name is given as it is, another one with the first number that is free, within the width of a name."""
    assert free_beside(wished, taken) == name


def test_a_number_that_looks_like_letters_is_not_given() -> None:
    """Ten looks like "lo"."""
    in_use = NamesInUse()
    in_use.put("lo", {"guest:lo": "belo"})
    assert not in_use.is_free("be10", "guest:new")
    assert in_use.is_free("be11", "guest:new")


def test_a_wish_of_many_is_granted_after_a_few_tries() -> None:
    """Each gets a name of its own, whose number is short at first and never longer than eight digits."""
    in_use, most = NamesInUse(), 0
    for player in map(str, range(1_000)):
        wished = enumerate(names_near("x" * NAME_LENGTH, player), 1)
        tries, name = next((tries, name) for tries, name in wished if in_use.is_free(name, player))
        in_use.put(player, {player: name})
        most = max(most, tries)
        assert len(name) == NAME_LENGTH
        assert len(name.rstrip("0123456789")) >= NAME_LENGTH - 8
    assert most < 30


def test_another_player_draws_other_numbers() -> None:
    """The names that a player will be given cannot be taken in advance, except the first ten."""
    small = ["ana", *(f"ana{number}" for number in range(2, 10))]
    assert len({free_beside("ana", small, f"guest:{number}") for number in range(20)}) > 10
    assert free_beside("ana", small, "guest:1") == free_beside("ana", small, "guest:1")


@for_each(
    ("name", "ownable"),
    [
        ("guest", False),
        ("GUEST", False),
        ("gu\u0435st", False),
        ("guest2", False),
        ("guest1017", False),
        ("guests", True),
        ("guesto", False),  # looks like guest0
        ("myguest", True),
        ("ana", True),
    ],
)
def test_the_default_name_cannot_be_owned(name: str, ownable: bool) -> None:  # noqa: FBT001
    """In any script, and with any number."""
    assert any(map(is_nobodys, looks(name))) is not ownable


def test_a_name_is_in_use_until_its_last_place_is_gone() -> None:
    """A player may have it in a session and on a seat; for the player it is free all the time."""
    in_use = NamesInUse()
    in_use.put("session", {"ana": "Ana"})
    in_use.put("table 1", {"ana": "ana", "bo": "bo"})
    in_use.put("session", {})
    assert not in_use.is_free("\u0430na", "eve")
    assert in_use.is_free("\u0430na", "ana")
    in_use.put("table 1", {"bo": "bo"})
    assert in_use.is_free("ana", "eve")
    in_use.put("table 1", {"bo": "ana"})
    assert in_use.is_free("bo", "eve")
    assert not in_use.is_free("ana", "eve")


def test_no_player_gets_a_name_that_is_taken() -> None:
    """Hundreds of players wish for a few hostile names: each gets a clean name like no other, and keeps it."""
    chance = random.Random(7)
    alphabet = "Ao0O1lIimrnvw\u0430\u043e\u0412\u0392\u03bd\uff41\u1d00\u00e9\u6f22\u0301-."
    taken: list[str] = []
    in_use = NamesInUse()
    for number in range(400):
        wished = "".join(chance.choices(alphabet, k=chance.choice([1, 2, 3, 20])))
        near = names_near(wished, str(number))
        name = next(each for each in near if in_use.is_free(each, str(number)))
        assert not any(alike(name, other) for other in [*taken, *RESERVED_NAMES])
        assert clean_name(name) == name
        assert 0 < wcswidth(name) <= NAME_LENGTH
        taken.append(name)
        in_use.put(number, {str(number): name})
