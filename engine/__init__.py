"""The rules of the Palace family as a pure library: no I/O, no clock, no chance but the seed it is given.

A map, from the bottom up:

    cards       ranks, suits, sets of cards as integers
    rules       a rule set as a value; ``rulefile`` reads it, ``rulesets/`` holds five
    powers      what special ranks do, worked out into tables
    moves       what may be tried      events   what happened      typed   how people type a move
    state       the whole truth        view     what one seat may know
    legality    which moves are allowed, and why not
    opening     deal, and who starts   game     what a move does
    notation    positions as JSON      referee  rules over a pipe
    notes       the rules sheet        ai       players of our own, who see views

Only the core and the coordinator of a table may hold a `state.State`; everybody else gets a `view.View`.
"""
