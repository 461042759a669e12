"""The rules of the Palace family as a pure library: no I/O, no clock, and no chance but the seed it is given.

From the bottom up; an import points only down (`tests/test_architecture.py` has the order):

    cards, errors           cards and sets of cards as integers; what wrong input raises
    powers                  the powers that ranks may have: their words, and what they are worth
    rule_options            keys that override those of a rule set
    rules, shuffle          a rule set as a value; draws from a seed
    rulesets/               the rule sets as TOML files, the meaning of their keys, the clauses that they cite
    effects                 what a play may cause
    rank_powers             what the special ranks of a rule set do, as tables
    moves                   what a seat may try to do, as values and as text
    position, events, pile  what decides legality; what happened; the pile and its top
    state                   the whole truth about a game
    view                    what one seat may know of it
    wording/                refusals, phrases and the rules sheet, in words
    legality                which moves are legal, and why a move is refused
    opening                 dealing and who starts
    game                    `deal`, and `play`: what a move does
    odds                    what a player can calculate
    protocol/               positions and views as JSON; the referee
    lessons/                a lesson for any rule set
    ai/                     AI players, who see views

Where to begin: `game.play`, then `legality.refusal`. A `state.State` shows every card. Players get a `view.View`: the
state of a running game stays in the engine's core and in `server.table`. Finished games, lessons and games that the
program plays by itself have no secrets; `tests/test_architecture.py` lists the modules that may hold such states.
"""
