"""Changes to the golden record that make it a forgery, and what each is refused for."""

SWAPPED_MOVES = ("5. seat 1: play 6\n6. seat 2: play 6 6\n", "5. seat 1: play 6 6\n6. seat 2: play 6\n")
FORGERIES = {
    "seed": ("seed: 11ee", "seed: 11ef", "line 19: must be 'commitment: "),
    "id": ("game: 7KQ2M9XA", "game: 7KQ2M9XB", "line 19: must be 'commitment: "),
    "commitment": ("commitment: f0", "commitment: f1", "line 19: must be 'commitment: "),
    "cut": ("spades", "hearts", "line 23: must be 'seat 1: "),
    "cut removed": ('cut by "ana": "the seven of spades ♠"\n', "", "line 22: must be 'seat 1: "),
    "cut added": ("dealer: ", 'cut by "Fox": ""\ndealer: ', "line 24: must be 'seat 1: "),
    "dealer": ("dealer: seat 2", "dealer: seat 1", "line 26: must be 'luck: "),
    "rules": ("rules: college", "rules: life", "line 22: must be 'start: declare'"),
    "option": ('"10": 2', '"10": 3', "line 20: must be 'deck: "),
    "option removed": ('option special.3.effect: "mirror"\noption special.3.on: "any"\n', "", "not possible: play 3"),
    "option added": ("player 1: ", 'option beat: "higher"\nplayer 1: ', "not possible: play 6"),
    "players": ("began: ", 'player 3: "bo", person\nbegan: ', "line 24: must be 'seat 1: "),
    "deck": ("deck: 1", "deck: 4", "line 20: must be 'deck: "),
    "card": ("hand 6d 8c", "hand 6d 8s", "line 23: must be 'seat 1: "),
    "cards exchanged": ("8d 7h 9h", "7h 8d 9h", "line 23: must be 'seat 1: "),
    "stock": ("stock: 3c 8h", "stock: 8h 3c", "line 25: must be 'stock: "),
    "luck": ("luck: 1 2", "luck: 2 1", "line 26: must be 'luck: "),
    "move": ("8. seat 2: play Q", "8. seat 2: play J", "line 35: move 8 of seat 2 is not possible: play J"),
    "another's move": ("8. seat 2: play Q", "8. seat 1: play Q", "line 35: move 8 of seat 1 is not possible"),
    "moves swapped": (*SWAPPED_MOVES, "line 32: move 5 of seat 1 is not possible: play 6 6"),
    "places": ("places: 2\n", "places: 1\n", "line 74: the moves lead to 'places: 2', not 'places: 1'"),
    "result": ("result: seat 2", "result: seat 1", "line 75: the moves lead to 'result: seat 2 wins'"),
    "drawn": ("result: seat 2 wins", "result: drawn between seats 1 2", "line 75: the moves lead to "),
}
