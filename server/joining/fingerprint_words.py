"""A key's fingerprint in words, which people can read to each other across a room.

The approach is that of the PGP word list: one word for each byte, from a list in a fixed order. Ours has 256 common
English words, of which no two begin with the same three letters. The first six bytes of the SHA-256 of the key make six
words, 48 bits: enough for an evening, for it takes years of computing to make another key with the same words. The
words never change, since people may have written them down.
"""

import base64
from typing import Final

COUNT: Final = 6
"""How many words stand for a key."""

WORDS: Final = """
acorn album amber anchor ankle apple apron arch arrow atlas bacon bagel ballet bamboo banjo barn basket beach bell
berry bicycle blanket blossom boat bonfire bottle bread bridge bronze bucket buffalo butter cactus camel candle
captain carpet castle cedar cello chalk cherry chimney clover coconut comet coral cotton coyote cradle crown
crystal cubic daisy dancer deer desert diamond dinner dolphin donkey dragon drum eagle earth easel echo elbow
elder ember emerald engine falcon feather ferry fiddle finch flute forest fossil fox frost fudge galaxy garden
gazelle gentle giraffe globe goblet golden grape guitar hammer hazel helmet heron hickory hockey honey hornet
hotel hunter iceberg igloo iris island ivory jacket jaguar jasmine jelly jewel jigsaw judge jungle kayak kennel
kettle kitchen kiwi koala ladder lagoon lantern lava lemon library lilac lime lion lizard lobster lotus magnet
mango maple marble medal melon meteor mirror monkey mosaic motor muffin museum napkin nectar nest nickel noodle
nutmeg oasis ocean olive onion orbit orchid otter oven oyster paddle palace panda paper parrot peanut pebble
pelican pencil pepper piano picnic pigeon pillow pirate planet plum pocket poppy potato puddle pumpkin puzzle
pyramid quilt rabbit radio rainbow raven ribbon river robin rocket rose ruby saddle salmon sandal satin scarf
school shadow shell silver sketch slipper snow soccer spider spoon statue stone sugar summer sunset swan symbol
table tango teapot temple tennis thimble thunder ticket tiger timber toast tomato topaz tower tractor trumpet
tulip tunnel turtle unicorn valley vanilla velvet violin volcano voyage waffle wagon walnut water whale willow
window wizard wolf yellow zebra
""".split()  # noqa: SIM905 - a list of so many strings would be a page long


def fingerprint_words(fingerprint: str) -> str:
    """The words for a fingerprint as OpenSSH shows it.

    >>> fingerprint_words("SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    'acorn album amber anchor ankle apple'
    """
    digest = base64.b64decode(fingerprint.removeprefix("SHA256:") + "=")
    return " ".join(WORDS[byte] for byte in digest[:COUNT])
