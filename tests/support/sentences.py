"""What players say, and what it means or how it is answered: rows for tests."""

from itertools import chain
from typing import Final

from server import features

OF_FEATURES: Final = {
    "review": [
        ("lobby", "how do I get better at this", "When a game is over type review"),
        ("lobby", "what did I do wrong", "When a game is over type review"),
        ("lobby", "what could I have done better", "When a game is over type review"),
    ],
    "puzzles": [
        ("puzzle", "hint", "no hints in a puzzle: odds"),
        ("puzzle", "give me a clue", "no hints in a puzzle: odds"),
        ("puzzle", "what can I do", "Find the one move that is clearly best"),
        ("puzzle", "what is this", "Find the one move that is clearly best"),
        ("puzzle", "a harder one", "Puzzles get harder as you solve them."),
        ("puzzle", "what now", "Find the one move that is clearly best"),
        ("puzzle", "idk", "Find the one move that is clearly best"),
        ("puzzle", "ok", "Find the one move that is clearly best"),
    ],
    "lesson": [
        ("lobby", "strategy", "Lesson teaches the game"),
        ("lesson", "did I win", "Nobody wins here"),
        ("lesson", "what does now with other cards mean", "Each step has cards of its own"),
        ("lesson", "what are my cards", "Your hand"),
    ],
    "replay": [
        ("replay", "faster", "as in play 0.5"),
        ("replay", "slow down", "as in play 0.5"),
        ("replay", "stop", "play goes on, leave goes back"),
        ("replay", "pause", "play goes on, leave goes back"),
        ("replay", "how do I stop this", "leave goes back"),
        ("replay", "what can I do", "You can type the following."),
        ("replay", "show me bo's cards", "bo: hand 3"),
    ],
    "returning_guests": [
        ("lobby", "yes I was Grandma, I lost the code", "Ask them to type reseat ana as NAME"),
    ],
    "daily": [("lobby", "wat is par", "Par is the middle one of five games")],
}
"""What is answered while these features are there."""

ANSWERED: Final = [
    ("lobby", "can I pick up voluntarily in college", "If you cannot play, or would rather not"),
    ("lobby", "how many cards do I get in life", "6 in hand"),
    ("lobby", "can I play an 8 on an 8 in cathedral", "No: 2 9 10 J Q K A go on an 8."),
    ("table", "I quit", "quit hangs up"),
    ("table", "I don't want to play anymore", "quit hangs up"),
    ("lobby", "can I say something to the others", "Type say hello"),
    ("table", "can I talk to the other players", "Type say hello"),
    ("lobby", "how do I talk to my friend", "Type say hello"),
    ("lobby", "can two people play on one computer", "a second window of one computer"),
    ("lobby", "can I join in", "sit N to take a seat"),
    ("lobby", "is the computer cheating", "AI players see only what you would see"),
    ("table", "what does BIN mean", "Burned cards lie in the bin"),
    ("table", "can I play 5 6 7 as a run", "one or more cards of one rank"),
    ("table", "would three kings burn the pile", "Four of a rank in a row"),
    ("table", "hang on, phone", "Nothing gets lost"),
    ("watching", "enough watching", "Type leave"),
    *chain.from_iterable(rows for feature, rows in OF_FEATURES.items() if feature in features.FEATURES),
    ("lobby", "what is this game?", "Get rid of all your cards first."),
    ("lobby", "what's that?", "Get rid of all your cards first."),
    ("table", "what's that?", "Name what you mean"),
    ("table", "can we play in teams", "There are no teams"),
    ("lobby", "this is fun", "Glad to hear that. Play begins a game"),
    ("lobby", "how do I invite my friend", "Type new to open a table"),
    ("lobby", "can I pick up the pile", "If you cannot play, take the whole pile"),
    ("lobby", "nobody wants to play", "meet finds people"),
    ("lobby", "how does going out work", "Get rid of all your cards: the first to do so wins."),
    ("table", "can I kick someone", "type remove and the name of a player"),
    ("lobby", "can anyone see my cards", "Nobody sees the hands of others"),
    ("table", "why is my card red", "Colours tell the suits apart"),
    ("table", "can I play two of them", "7 7 plays two sevens."),
    ("table", "is bo gone", "Bo is disconnected"),
    ("table", "stop the game", "quit hangs up"),
    ("table", "that's not fair", "the deal is fixed before"),
    ("table", "one moment", "Nothing gets lost"),
    ("lobby", "I have never played this", "Lesson teaches it in"),
    ("lobby", "how do my friends find me", "Type new to open a table"),
    ("lobby", "where are my friends", " here."),
    ("table", "can I change the rules here", "A table keeps its rules"),
    ("table", "can I play a pair", "7 7 plays two sevens."),
    ("table", "shuffle", "This deal stays"),
    ("watching", "how do I join", "Type sit to take a seat"),
    ("lobby", "what is this?", "Get rid of all your cards first."),
    ("lobby", "how long does a game take?", "A game takes about 2-5 minutes."),
    ("lobby", "what's the difference between the games", "take the pile whenever you like"),
    ("lobby", "difference between college and life", "life: A 7 goes on anything and asks for a lower card"),
    ("lobby", "what's the difference between life and college", "college: After playing from your hand draw one"),
    ("lobby", "college or life?", "college: After playing from your hand draw one"),
    ("table", "which is the easiest?", "Newcomers begin with quatch; life is the shortest"),
    ("table", "cathedral please", "A table keeps its rules: type leave, then play cathedral."),
    ("table", "just the two of us", "type leave, then new seats=2"),
    ("table", "switch to life", "A table keeps its rules: type leave, then play life."),
    ("table", "I want to play quatch", "This table plays Quatch: rules tells how."),
    ("table", "other rules", "type leave, then play cathedral, play college"),
    ("lobby", "house rules", "For rules of your own type, in the lobby, new and what differs"),
    ("table", "help house", "For rules of your own type, in the lobby, new and what differs"),
    ("lobby", "can I make my own rules?", "For rules of your own type, in the lobby, new and what differs"),
    ("table", "raise 5", "That is of another game"),
    ("table", "select 7", "Type 7 alone"),
    ("table", "lay down", "On your turn type the rank of a card"),
    ("table", "get pile", "p picks up the pile."),
    ("table", "what do I swap", "No: cards are swapped only before the first one is played."),
    ("table", "what does arranging mean", "Face-up cards are played late"),
    ("table", "add 2 bots", "add seats one AI player each time"),
    ("lobby", "multi player", "meet finds people to play with"),
    ("lobby", "can I", "Ask the whole question, as in what does a 10 do"),
    ("table", "ask how do I", "Ask the whole question, as in what does a 10 do"),
    ("table", "I'm lost", "Type hint"),
    ("lobby", "I want my seat back", "If you fell out, your seat is kept: resume and the code that you were shown"),
    ("lobby", "how do i get my seat back", "Ask them to type reseat ana as NAME"),
    ("lobby", "i lost my connection", "If you fell out, your seat is kept: resume and the code that you were shown"),
    ("lobby", "my internet was down", "resume and the code that you were shown takes it back"),
    ("lobby", "i forgot the code", "The person who runs the server can give you back what is kept for you."),
    ("lobby", "how do i come back if i lose the connection", "resume and the code that you were shown takes it back"),
    ("watching", "can i play next", "Type sit to take a seat"),
    ("table", "can we play in teams", "There are no teams"),
    ("table", "let carl play too", "All seats here are taken"),
    ("table", "faster", "Type set pace 0"),
    ("table", "what does IN A ROW mean", "cards of one rank on top of the pile"),
    ("table", "where did anna go?", "Anna is not here"),
    ("table", "I'm out", "quit hangs up"),
    ("table", "I'm done", "quit hangs up"),
    ("table", "I'm winning", "Fewest cards: you with 2."),
    ("lobby", "I'm stuck", "rules tells how the game is played"),
    ("lobby", "can I play against a real person?", "meet finds people to play with"),
    ("lobby", "is anybody up for a game?", "meet finds people to play with"),
    ("table", "how long till the end", "A game takes about 2-5 minutes."),
    ("table", "what does the 10 do", "A 10 goes on anything and burns the pile"),
    ("table", "what does a ten do?", "A 10 goes on anything and burns the pile"),
    ("table", "what does the king do?", "A king is an ordinary card."),
    ("lobby", "what does the 5 do in life", "A 5 goes on anything and reverses"),
    ("table", "what is a burn", "burns the pile"),
    ("table", "what is the stock", "draw up to 3, while the stock lasts"),
    ("table", "what is the pile for", "If you cannot play, take the whole pile"),
    ("table", "what are face-down cards", "You turn them over last"),
    ("table", "what does face up mean", "are seen by all"),
    ("table", "what is hand 3", "the cards that only their player sees, as in hand 3"),
    ("lobby", "what does hand mean", "the cards that only their player sees"),
    ("table", "what's the deck", "the cards to draw from, 0 now: all are drawn."),
    ("table", "what's the pile", "the cards that were played. Pile of 1, top 4."),
    ("table", "what does order mean", "who plays next"),
    ("table", "how many cards does bo have", "bo has 3 cards: 3 in hand."),
    ("table", "how many cards do I have?", "You have 2 cards: 2 in hand."),
    ("table", "how many cards are left in the stock", "0 cards in the stock."),
    ("table", "who's turn", "Your turn."),
    ("table", "can I play a 9 on a 9?", "Yes: a 9 goes on a 9."),
    ("table", "can you put a three on a four", "No: 2 4 5 6 7 8 9 10 J Q K A go on a 4."),
    ("lobby", "can I play a king on a nine?", "Yes: a king goes on a 9."),
    ("lobby", "can a 9 go on a 7 in life", "No: "),
    ("lobby", "does a 2 beat an ace", "Yes. A 2 goes on anything and resets the pile"),
    ("table", "can I play an 8 on a 10", "burns the pile"),
    ("lobby", "what can I play on a king", "2 10 K A go on a king."),
    ("lobby", "can I play my 9", "A 9 is an ordinary card."),
    ("table", "hi there", "Hello, ana. AI players do not talk."),
    ("lobby", "hello", "Hello, ana. Play begins a game"),
    ("table", "gg", "Good game!"),
    ("lobby", "who won?", "No game of yours has ended since you came"),
    ("table", "who is winning", "Fewest cards: you with 2."),
    ("table", "who is going to win", "Fewest cards: you with 2."),
    ("table", "undo that", "There is no undo"),
    ("table", "stop i want to read", "Read on: a page stays until you press Enter"),
    ("lobby", "starting soon?", "Type play: it begins a game"),
    ("lobby", "password", "There is no password: your ssh key says who you are."),
    ("lobby", "passwd", "There is no password: your ssh key says who you are."),
    ("table", "these cards are terrible", "This deal stays"),
    ("table", "deal again please", "This deal stays"),
    ("table", "too fast, slow down", "Type set pace 4"),
    ("table", "the ai is cheating", "fair tells what proves it"),
    ("table", "why should I swap cards?", "keep low ones in hand"),
    ("table", "can my friend join this game", "All seats here are taken: they can watch"),
    ("table", "I don't understand", "Type hint"),
    ("table", "why queen", "No queen in your hand."),
    ("table", "why q", "No queen in your hand."),
    ("table", "can I see my face down cards", "No: nobody"),
    ("table", "how many players can play", "This table has 2 seats; Quatch is for 2 to"),
    ("lobby", "how many players", "2-"),
    ("table", "I want to play life instead", "type leave, then play life."),
    ("table", "no boxes please", "set mode line shows plain lines"),
    ("lobby", "help plain", "set mode line shows plain lines"),
    ("table", "no bots please", "type leave, then new seats=2, a table for two."),
    ("lobby", "just the three of us", "Type new seats=3, a table for three."),
    ("table", "go slower", "Type set pace 4"),
    ("table", "can they play slower", "Type set pace 4"),
    ("lobby", "I'm colour blind", "set cards letters"),
    ("table", "make it 4 players", "play 4: a game with four seats"),
    ("table", "faster", "Type set pace 0"),
    ("table", "are you real people or bots", "Beside you: 1 person, bo."),
    ("lobby", "am i playing against bots", "AI players have their level beside the name"),
    ("lobby", "are you a bot", "This is Quatch"),
    ("table", "thanks", "You are welcome. Hint proposes a move"),
    ("lobby", "thank you so much", "You are welcome. Play begins a game"),
    ("table", "smaller font", "Your terminal sets the size of the text."),
    ("table", "stop reading everything", "set tips off"),
    ("lobby", "next", "Play begins a game"),
    ("table", "enter", "to press"),
    ("lobby", "can I play offline", "quatch play"),
    ("table", "can I swap cards", "No: cards are swapped only before the first one is played."),
    ("table", "how do I put cards down", "type the rank of a card"),
    ("table", "why did bo pick up", "take the whole pile"),
    ("table", "what does ready do", "ready ends your arranging"),
    ("table", "can we play without the clock", "new clock=300"),
    ("table", "stop", "quit hangs up; at a table it keeps your seat"),
    ("table", "close", "quit hangs up; at a table it keeps your seat"),
    ("table", "wait a minute", "Nothing gets lost"),
    ("table", "hold on, let me think", "Nothing gets lost"),
    ("table", "wait, I didn't mean to play that", "There is no undo"),
    ("lobby", "how do I send a private message", "as in tell Anna hello"),
    ("lobby", "I don't want to learn, just play", "Type play"),
    ("lobby", "dark mode", "Your terminal sets the background"),
    ("lobby", "my friend's name is Bo where is he", "Bo is not here: new"),
    ("table", "my friend's name is Bo where is he", "Bo is disconnected"),
    ("lobby", "where is Bo", "Bo is not here: new"),
    ("table", "what does enter do?", "it never makes a move"),
    ("lobby", "open a private table for my brother", "new word=apple opens a table"),
    ("table", "where's Bo", "Bo is disconnected"),
    ("table", "where is bo now?", "Bo is disconnected; their seat is kept."),
    ("table", "I don't understand the cards", "You can play a 7 or a king."),
    ("lobby", "texas holdem", "Only these are played here"),
    ("lobby", "anyone human here?", "Nobody else is here now."),
    ("table", "anyone human here?", "Beside you: 1 person, bo."),
    ("lobby", "what do I type", "Play begins a game"),
    ("lobby", "I only have 5 minutes", "play 2 begins a short game"),
    ("table", "play with friends", "All seats here are taken: they can watch"),
    ("table", "can I play 2 cards", "7 7 plays two sevens."),
    ("table", "can I play 2 sevens?", "7 7 plays two sevens."),
    ("table", "draw a card", "that is done for you. After playing from your hand draw up to 3"),
    ("table", "hit me", "You can play a 7 or a king."),
    ("table", "do I have to use my two", "If you can play, you must. You can play a 7 or a king."),
    ("table", "I'd rather take the cards", "If you can play, you must."),
    ("table", "I have nothing that fits", "You can play a 7 or a king."),
    ("table", "am I doing well", "Fewest cards: you with 2."),
    ("table", "can I take that back", "There is no undo"),
    ("lobby", "is this for children", "no money is played for"),
    ("lobby", "something easy please", "set level changes how well"),
    ("lobby", "is 970 bad", "a newcomer has 1000"),
    ("lobby", "what happens if I go away", "Nothing gets lost"),
    ("table", "what beats a 9?", "2 9 10 J Q K A go on a 9."),
    ("lobby", "what beats a ten?", "burns the pile"),
    ("lobby", "what beats a two", "Anything goes on a 2."),
    ("table", "is this a real person", "Beside you: 1 person, bo."),
    ("lobby", "are you there?", "Nobody else is here now."),
    ("lobby", "am I registered?", "You are a guest, ana, and your name goes with you."),
    ("table", "mulligan", "This deal stays"),
    ("lobby", "what is a rating?", "A rating says how strong a player is."),
    ("table", "what does rated mean", "A rating says how strong a player is."),
    ("lobby", "unrated", "A rating says how strong a player is."),
    ("lobby", "what is the bin", "Burned cards lie in the bin"),
    ("table", "where did the pile go?", "Burned cards lie in the bin"),
    ("table", "why do I have 3 cards", "After playing from your hand draw up to 3"),
    ("table", "check", "none can be skipped"),
    ("lobby", "mau mau", "Only these are played here"),
    ("table", "what happens if my last card is a 2", "A 2 goes on anything and resets the pile: anything"),
    ("table", "what happens if my last card is a 2", "cannot be your last card"),
    ("table", "can I finish with a 9 as my last card", "Yes: a 9 may be your last card"),
    ("table", "play the four of a kind", "7 7 plays two sevens."),
    ("lobby", "did I play well?", "When a game is over"),
    ("lobby", "show me my best move", "When a game is over"),
    ("table", "what happens when the time runs out", "an AI player plays for them until they type back"),
    ("table", "how much time has she got", "with other people a turn has some seconds"),
    ("lobby", "I'm here again", "Hello, ana."),
    ("table", "why can't I play my lowest card", "You can play a 7 or a king."),
    ("lobby", "which cards are special", "A 10 goes on anything and burns the pile"),
    ("table", "which cards are special", "A 10 goes on anything and burns the pile"),
    ("table", "any wild cards?", "A 10 goes on anything and burns the pile"),
    ("lobby", "how many cards are in the deck", "The deck has 46 cards: only one 2 and one 10."),
    ("lobby", "how many cards are in the deck in life", "The deck has 52 cards."),
    ("table", "how many cards are in the deck", "The deck has 46 cards: only one 2 and one 10. In the stock: 0 now."),
    ("table", "how many cards are left in the deck", "In the stock: 0 now."),
    ("lobby", "how many decks are used", "The deck has 46 cards"),
    ("table", "how many cards are in the game", "The deck has 46 cards"),
    ("lobby", "how many cards does cathedral have", "The deck has 52 cards"),
    ("table", "why is the stock 27", "The stock is what is left of 46 cards"),
    ("table", "why is the stock empty", "0 now: all are drawn"),
    ("lobby", "play a private game with my friend bob", "new word=apple"),
    ("table", "why is the stock so small", "The stock is what is left of 46 cards"),
    ("table", "why is the pile 1", "The pile is the cards that were played."),
    ("table", "why is the bin 0", "Burned cards lie in the bin"),
    ("lobby", "wat is dis", "Get rid of all your cards first."),
    ("table", "wats burn", "burns the pile"),
    ("lobby", "whats the diff between life and quatch", "life: A 7 goes on anything"),
    ("table", "can i see the other guys cards", "Nobody sees the hands of others"),
    ("table", "can i play more than 1", "7 7 plays two sevens."),
    ("table", "put it on the pile", "On your turn type the rank of a card"),
    ("table", "why is it taking so long", "Type set pace 0"),
    ("lobby", "in life what does the 8 do", "An 8 is an ordinary card."),
    ("lobby", "in college can you swap cards", "each player chooses 3 cards to lie face up"),
    ("lobby", "does cathedral have face down cards", "nobody has face-down cards"),
    ("lobby", "who wins in life", "the last one left loses"),
    ("table", "who starts in cathedral", "drawn by lot"),
    ("table", "do 4 of a kind burn it", "Four of a rank in a row"),
    ("lobby", "what happens if I play two 5s", "A 5 is an ordinary card."),
    ("table", "does 7 mean lower", "A 7 is an ordinary card."),
    ("table", "can I finish with a 2", "cannot be your last card"),
    ("table", "what happens when the deck is empty", "Play from your hand first"),
    ("table", "when can I use my face up cards", "They are played when the hand is empty."),
    ("table", "can I pick up even if I can play", "If you can play, you must. You can play a 7 or a king."),
    ("table", "do I have to play all my sevens at once", "one or more cards of one rank"),
    ("table", "7 and K together", "one or more cards of one rank"),
    ("table", "play all my cards", "one or more cards of one rank"),
    ("table", "does it go reverse sometimes", "No card changes the direction"),
    ("lobby", "which direction do you play in life", "A 5 goes on anything and reverses"),
    ("table", "why did I get another turn", "Its player goes again."),
    ("table", "is there jump in", "there is no jumping in"),
    ("table", "what if it doesn't fit", "take the whole pile"),
    ("table", "what if a face-down card does not fit", "one that cannot go comes to your hand with the pile"),
    ("table", "what if I have no more cards in my hand", "Play from your hand first"),
    ("table", "can I play my face up cards", "Not yet: you have cards in hand."),
    ("table", "how do i play blind", "Then turn over your face-down cards"),
    ("table", "what are the upside down cards", "You turn them over last"),
    ("table", "why do i have to pick up", "If you can play, you must. You can play a 7 or a king."),
    ("table", "do I have to play both sevens", "No. On your turn play one or more cards of one rank"),
    ("lobby", "is 2 higher than a king", "Yes. A 2 goes on anything"),
    ("lobby", "how do i put a card up", "put high and special cards there"),
    ("table", "who plays after me", "After you: bo."),
    ("table", "did he cheat", "the deal is fixed before"),
    ("table", "i am new to this game", "Type hint"),
    ("table", "gimme the pile", "p picks up the pile."),
    ("lobby", "what do those little letters mean", "[##] lies face down"),
    ("lobby", "take me to a game", "Play begins a game"),
    ("lobby", "how many people do i need", "AI players take the free seats"),
    ("lobby", "is it like uno", "Get rid of all your cards first."),
    ("lobby", "who am I", "You are a guest, ana"),
    ("lobby", "what does the 1000 mean", "As a rating: a newcomer has 1000"),
    ("table", "why is the 7 in brackets", "(7) can be played now"),
    ("table", "premove 7", "No move is made ahead"),
    ("table", "what if he leaves", "an AI player plays for them"),
    ("table", "how long does bo have", "with other people a turn has some seconds"),
    ("table", "can I leave without losing", "Nothing gets lost"),
    ("lobby", "how do I keep my name", "your name goes with you. In a shell type ssh-keygen"),
    ("lobby", "register", "from then on your name is kept"),
    ("lobby", "will you remember me", "your name goes with you"),
    ("lobby", "can four people play", "Type new seats=4"),
    ("table", "is there a way for four people to play", "type leave, then new seats=4"),
    ("table", "seats=4", "A table keeps its seats: type leave, then new seats=4"),
    ("table", "add a seat", "For more seats type leave, then new seats=4."),
    ("table", "how do I change the time per turn", "new clock=300"),
    ("lobby", "the colors hurt my eyes", "set colour none"),
    ("lobby", "is there bad language", "ignore NAME stops hearing a player"),
    ("table", "let the computer play for me", "You play each move yourself"),
    ("table", "wait a sec phone", "Nothing gets lost"),
    ("lobby", "what is the diffrence between life and college", "college: After playing from your hand draw one"),
    ("lobby", "how can my frend join", "Type new to open a table"),
    ("table", "why is there no computer player?", "when the cards are dealt. Beside you: 1 person, bo."),
]
"""Questions, and a part of their answers."""

NEEDED: Final = {
    "lesson": "lesson",
    "replay": "replay",
    "daily": "daily",
    "puzzle": "puzzles",
    "me": "own_page",
    "nights": "seasons",
}
"""The features that some places and commands are of."""

MEANT_OTHERWISE: Final = {
    ("lobby", "new"): "i just played a game with my wife and lost, i don't want to play with my friends again, "
    "no game with friends today, is it possible to play with my friends later, "
    "when can i play a game with my friends online, play a private game with my friend bob, "
    "i don't want to play with my friends, i won the game with my brother",
    ("lobby", "set mode line"): "the line mode of this, in line mode it is fine",
    ("lobby", "replay"): "no moves in a finished game",
    ("lobby", "Nothing gets lost"): "often over one connection, stay in connection",
    ("table", "You would be last"): "end of story but ok, go and eat something, stop it and play",
    ("table", "AI players see only"): "swear to god",
    ("table", "Each plays on their own turn"): "he fell out of turn",
    ("table", "No move is made ahead"): "queue is long",
    ("table", "No card changes the direction"): "what direction is the pub",
    ("table", "results"): "I have lots",
    ("lesson", "Type leave to end it"): "have I enough cards, is the table full already",
    ("replay", "fair"): "how do i report a cheater, to be honest i like it, honest question who won, "
    "is cheating possible, he cheats",
    ("replay", "leave goes back"): "how do i go out, can i go out with a 2, how does going out work, "
    "how did ana go out, can you find out who won, how many cards are out",
    ("lesson", "leave goes back"): "how do i go out, can i go out with a 2, how does going out work",
}
"""What has words of a command or an answer and does not mean it, by the place and what is not meant."""

UNDERSTOOD: Final = {
    ("table", "ask"): "log in, log me in, login, esc, how long is my turn, is fox a bot, are they bots, "
    "what goes where, play them both, my name is wrong, what do 2s do?, is it hard, "
    "is a 2 good, do twos go on everything, how do I pick up, is there a time limit, what if my internet dies, "
    "are you a computer, can I trade cards, do I have to play, what's the highest card, "
    "another game, restart, what does ## mean, I made a mistake, take back my move, sort my cards, "
    "show me his cards, pause the game, save my game, refresh, burn it, I need to go home now please, "
    "what's a rule set, go away, change the rules, new game with 4 players, do suits matter, can fox see my cards, "
    "what does the 10 do, what does a ten do?, what is the stock, who is winning, undo that, brb, "
    "no bots please, seats 2, start with bo only, without any bots, "
    "how long does a game take?, why should I swap cards?, too fast!, slow down please, the ai is cheating, "
    "why did I lose?, I need to go to the toilet, I don't understand, can my friend join this game, "
    "hi, hello!, gg, glhf, good game, well played, hi everybody, good luck all, "
    "how do I win, can I play with my friend, how can I play with friends, "
    "skip, skip my turn, can i play two different cards, how does she join, a game of four, "
    "can the others see what I type, let the computer play for me, I don't want these cards, my friend wants to play, "
    "is it ok to play two eights, when do I get new cards, "
    "throw away the sevens, what is this, can ben join, how does the game end, what do these mean, how long do I have",
    ("lobby", "ask"): "what's new, who is the admin, is it hard, my name is wrong, "
    "how many games are there, how do I come back later, is there an app, is fox a real person, "
    "how many players can play, "
    "is this rated, what do the special cards do, what version is this, does it work on windows, nobody is here, "
    "speed up, who are you, can I play on my phone, do I need an account, how do I exit, this sucks, "
    "do you have chess, I am colour blind, what is this game?, what is cathedral, how are games rated, "
    "what's a rule set, private game, which game is the shortest, "
    "can I play against a real person?, make it easier please, "
    "how long does a game take?, what's the difference between the games, what does a 2 do?, what is quatch original, "
    "can anyone see my cards, can I play in German, what cards are good, how does she join, how does the rating work, "
    "sign up, log in, login, can I stack 10s, compare life and college, which is shortest, I'm in, "
    "how many people can play, what level am I, am I logged in, how do I get a key, what happens when I quit, "
    "telnet, help telnet, screen reader, i am blind, how do i get plain text, is this saved",
    ("table", "hand"): "what are my face up cards, how do I see my cards, I want to see all my cards",
    ("lobby", "meet"): "play with a stranger, i want to play someone real, I want to play against strangers",
    ("table", "back"): "I'm here again",
    ("lobby", "set"): "plain, lines, set plain on, plain text",
    (
        "table",
        "why",
    ): "why can't my king go, why is my seven not allowed, can I play a 4, can I put a 10 on this, "
    "can I put a 10 on the pile",
    ("lobby", "name"): "change my username please, change my nick to Marvin, change nick, register as bob",
    ("table", "where"): "can he finish now, how many cards do the others have, who is losing, show opponents, "
    "what are the other players doing, is the deck empty, what's left in the deck, what is bo holding, "
    "how much is left, what's left, cards left",
    ("table", "pile"): "what's under the pile, can I see the discard pile",
    ("table", "hint"): "what can I do, move my highest card up, lay my best cards, what are good cards, "
    "which card should I play, can I have a hint?, "
    "which ones should I swap, I don't know what to do, which crad is best, "
    "which card is best, what would you do?, what do I do now?, what's my best option",
    (
        "table",
        "turn",
    ): "deal me in, can I choose, what beats that, is it over soon, what happens next, "
    "what is he doing, what is fox doing, i can't beat that, why can't I play this, why cant i play this card, "
    "who are we waiting for, who has not arranged yet, when is my turn, whos trun is it, "
    "what's the highest I can play, I don't have anything, is it me, am i next, then what can I play, done, "
    "wait whose turn is it, hold on who plays, what do I type, "
    "can we start?, can I go now, I'm next",
    ("table", "log"): "what did I miss, how did our games end, "
    "who played the ten, did Fox take the pile, what was bo's last card, show me how Bo won",
    ("table", "odds"): "how many 2s are gone, are there any kings left",
    ("table", "repeat"): "what happend, can I see what happened, read that again",
    ("lobby", "play"): "start with two bots, play life with 4 players, start, I'm ready, start an easy game, "
    "start life, let's try cathedral, I choose life, I want to play the college game, I'd like to play life",
    ("lobby", "rules"): "what are good cards, what are the best cards, "
    "what are the rules again, let me see the rules first, what are the special rules",
    ("lesson", "skip"): "next, n, ok next, continue, got it",
    (
        "lesson",
        "hint",
    ): "i don't know, i'm lost, i'm stuck, what do I do, idk, huh, what card, which one, this makes no sense, "
    "ok, okay, alright",
    ("lesson", "turn"): "i cant, I can't, I can't do it, it doesnt work, nothing happens",
    ("lesson", "leave"): "exit lesson, quit the tutorial",
    ("lesson", "ask"): "what does the 10 do, i want to play now, let me play, enough, i know this already",
    ("watching", "help"): "what can I do",
    ("replay", "fair"): "fair, is this fair, was the deal fair, is it rigged",
    ("replay", "play"): "play it, play on",
    ("replay", "back"): "previous, previous move, go back 5, back 5 moves",
    ("replay", "move"): "go to move 20, back to the beginning, play it from the start, from the beginning, replay it, "
    "again, start over",
    ("replay", "replay"): "last game, replay my last game, show that again",
    ("puzzle", "leave"): "back, go back",
    ("replay", "leave"): "back to the game, back to my game, back to the table",
    ("replay", "end"): "how did he win, how did the game end",
    ("watching", "sit"): "let me play too, let me in, deal me in",
    ("table", "results"): "who came last, who lost",
    ("watching", "ask"): "can I join, can I sit down",
    ("lobby", "nights"): "who won yesterday, who played last night",
    ("table", "quit"): "ok thanks and bye",
    ("table", "invite"): "invite bo bye, whats the link",
    ("lobby", "tables"): "what did I miss, watch a game, I want to watch someone, can i just watch them",
    (
        "lobby",
        "replay",
    ): "show me the last game anna played, how did our games end, "
    "where are my games, are my games saved, where are my old games, show my games, watch the last game again, "
    "show the game with life again, show me the game with life again, show that again, see the game, look again, "
    "view that game again, i want to see my game again, look at the game with bo, show me my last game, "
    "watch my last game, record my last game, last game",
    ("lobby", "daily"): "yesterday's results, share my result, who won the daily yesterday",
    ("table", "me"): "my scores, my results",
    ("lobby", "me"): "my scores, where can I see the results, what's the score, where do I see my statistics, "
    "how many games have I won",
    ("table", "who"): "where is everyone, where are they all",
    (
        "lobby",
        "who",
    ): "whos on, where is everybody, is my friend Anna online, who's playing right now, how many people are here",
    ("lobby", "sit"): "go to table 2, connect bo",
    ("lobby", "leave"): "back to the start, back to the menu",
    ("lobby", "new"): "i want to play with my sister she is at home, play with friends, play with a friend",
}
"""What players mean by what they type, by the place where they are and the command that they mean."""

LIKINGS: Final = "life game, the college one, I'd like life please, I like life, we prefer to play college, I want life"
"""That somebody likes a rule set, which begins no game."""

WAITING: Final = (
    "another friend is coming, one more person comes, one more seat please, we wait for one more, don't start yet, "
    "not yet, wait for bo, ready when bo comes, start game when bo comes, start when bo is here, do not deal, "
    "please don't add bots, one more, another game, go get bo, start in a minute, starting in 2 minutes"
)
"""What players say at a table who wait for somebody."""

WORDS_UNDERSTOOD = {
    ("lobby", "play"): "play, begin, go, game, new game, play a game, let's play, lets play!, deal, again, rematch, "
    "start a new game please, play again, another game, solo, singleplayer, quick game, play now, pla, start game, "
    "i want to play, "
    "I'd like to play against the computer, play hard, play life vs medium",
    ("lobby", "new"): "new, create, host, friends, multiplayer, new table, new game 3 players",
    ("lobby", "tables"): "tables, list, games, ls, rooms, matches, list games, show tables",
    (
        "lobby",
        "who",
    ): "who, players, online, users, names, who is here?, who is on, /who, who is online, is anyone there?",
    ("lobby", "set"): "set, settings, options, config, preferences, theme, colors, prefs, difficulty, hard mode, "
    "turn off colors, language",
    ("lobby", "name"): "name bo, nick bo, rename bo, username bo, change my name, "
    "change my name to Eva, call me bo, my name is bo, "
    "please call me bo, I want to call myself Anna",
    ("lobby", "meet"): "meet, join a game, find players, play online",
    ("lobby", "help"): "help, ?, h, commands, man, manual, info, about, --help, -h, /help, /?, "
    "what can I do here?, what do I do, what now, i need help, wtf, huh?",
    ("lobby", "quit"): "quit, exit, q, bye, logout, log out, disconnect, :q, :q!, goodbye, quit game, "
    ":wq, :x, exit(), quit(), ZZ, ^D, ctrl-c",
    ("lobby", "rules"): "rules, instructions, variants, modes, rule sets, what are the rules?, explain the rules, "
    "game rules, rules life, can I see the rules please, show me the rules, explain the game",
    ("lobby", "say"): "say hello?, say hello, chat hello, shout hello, talk hello, /hello there, 'hello, /me waves, "
    "/who are you, /again?, /say hello, /tell me about it, '/who, /r u ok",
    ("lobby", "tell"): "tell bo hi, whisper bo hi, msg bo hi, dm bo hi, pm bo hi, /msg bo hi, /w bo hi, tell bo hi?",
    ("lobby", "sit"): "sit 3, join 3, join table 3",
    ("lobby", "watch"): "watch 3, observe 3, spectate 3",
    ("lobby", "where"): "where, look, status",
    ("lobby", "leave"): "back, lobby, leave",
    ("table", "leave"): "leave, lobby, menu, home, resign, surrender, I give up, go back, "
    "leave the table, forfeit, I want to leave, exit, exit game, "
    "back to the lobby, go back to the lobby",
    ("table", "hint"): "hint, h, suggest, advice, tip, what should I do?, what should I play, best move, no idea",
    ("table", "where"): "where, w, look, status, show table, cards",
    ("table", "hand"): "hand, my cards, show my cards, my hand, show my cards again",
    ("table", "remove"): "remove bo, kick bo",
    (
        "table",
        "turn",
    ): "turn, whose turn is it?, whose turn, is it my turn?, my turn, how do I play a card, I can't play anything",
    ("table", "rules"): "rules, what are the rules, instructions, r",
    ("table", "say"): "say I need the toilet, shout other people are cheating, wow, /thanks, lol, nice one, "
    "nice one all, oops, /hi",
    ("table", "start"): "begin, again, rematch, play again",
    ("table", "back"): "back, I'm back",
    ("table", "why"): "why, why q, why queen, why can't I use my queen",
    ("table", "odds"): "odds, chances",
    ("table", "results"): "results, score, who won?",
    ("table", "quit"): "quit, bye, logout",
    ("table", "invite"): "invite, share, invite a friend",
    ("watching", "leave"): "leave, stop, go back, lobby",
}
"""What players mean by what they type, by the place where they are and the command that they mean."""

WORDS_ANSWERED = [
    ("lobby", "lol", "nobody hears you here: play begins a game"),
    ("lobby", "lol everybody", "nobody hears you here"),
    ("replay", "hi", "nobody hears you here: leave goes back"),
    ("lobby", "yes", "nothing was asked just now: play begins a game"),
    ("lobby", "no", "nothing was asked just now: play begins a game"),
    ("lobby", "y", "nothing was asked just now: play begins a game"),
    ("lobby", "kick bo", "remove works at a table"),
    ("lobby", "/join #chess", "here that is sit N, without a slash"),
    ("watching", "/Nick Eva", "here that is name Eva, without a slash"),
    *((place, f"{word}?", "type quit: ") for place in ("lobby", "table") for word in ("quit", "bye")),
    ("lobby", "exit?", "type quit: "),
    ("table", "exit?", "type leave: "),
    ("table", "can we leave please", "type leave: "),
    ("table", "leave?", "type leave: "),
    ("table", "again?", "the game is going on"),
    ("lobby", "meet?", "meet: "),
    ("lobby", "again?", "play: "),
    ("lobby", "play now?", "play: "),
    ("lobby", "can we play please", "play: "),
    ("lobby", "can I see the daily", "daily: play today's deal, the same for all. Enter does it"),
    ("table", "yes", "nothing was asked just now"),
    ("lobby", "give everybody the rules", "did you mean rules?"),
    ("lobby", "plya", "Did you mean play?"),
    ("lobby", "qiut", "Did you mean quit?"),
    ("lobby", "tabels", "Did you mean tables?"),
    ("lobby", "plya", "Enter does it"),
    ("table", "I have nothing to say about that", "say TEXT, or /TEXT: talk"),
    ("table", "just go already", "that is not understood"),
    ("table", "am too tired", "that is not understood"),
    ("lobby", "finger", "play begins a game"),
    ("lobby", "xyzzy", "help lists all"),
    ("lobby", "north", "play begins a game"),
    ("lobby", "asdf", "play begins a game"),
    ("lobby", "life", "Did you mean play life?"),
    ("lobby", "cathedral please", "cathedral is a rule set. Did you mean play cathedral?"),
    ("lobby", "college, please", "Did you mean play college? Enter does it"),
    ("lobby", "cathedrl pls", "Did you mean play cathedral?"),
    ("lobby", "original", "Did you mean play quatch-original?"),
    ("lobby", "hint", "hint works at a table: type play or new"),
    ("lobby", "7 7", "no game is running here: type play to begin one"),
    ("lobby", "can I block bo?", "ignore bo: stop hearing a player, or hear them again. Enter does it"),
    ("table", "can I block bo", "ignore bo: stop hearing"),
    ("lobby", "can I play with my brother", "new: open a table for friends"),
    ("lobby", "block bo?", "ignore bo: stop hearing"),
    ("lobby", "can I set colour none", "set colour none: show or change your settings. Enter does it"),
    ("table", "do I leave now", "type leave: go back to the lobby and give up your seat"),
    ("table", "could we remove bo", "remove bo: remove a player"),
    ("table", "king?", "that is a question: type king alone if you mean it"),
    ("table", "take the pile?", "that is a question: type take the pile alone"),
    ("table", "xyzzy", "hint proposes a move, rules tells how it is played, help lists all"),
]
"""What has no meaning there, and what must be in its answer."""

NO_FLIPS = {
    "hint": "the right move, i want the right move, the right card",
    "log": "last move",
    "turn": "turn over, my turn over, my turn over?, turn it over, my turn first",
    "start": "go first, i go first, let me go first",
    "": "me first, open, first move, on the right side, right, last, first, one left, one more, i want one",
}
"""What is meant otherwise though it has a word for turning a card or for its place, by the command that is meant."""
