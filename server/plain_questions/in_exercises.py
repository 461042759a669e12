"""What people say in a lesson, in a puzzle, and at a finished game."""

from typing import Final

from server.commands.registry import Context
from server.plain_questions.at_your_turn import to_do
from server.plain_questions.sentence import GAME, RANK, Sentence

_OTHER_CARDS: Final = "Each step has cards of its own: hint says what to type."
_NO_WINNER: Final = "Nobody wins here: it is an exercise, and leave goes back."
_PACE: Final = "Type play and the seconds for a move, as in play 0.5; Down goes ten moves on."
_END_OF_LESSON: Final = "Type leave to end it: then Enter begins a game. skip goes to the next step."


def _practice(context: Context, _: str) -> str:
    is_alone = context.snapshot is not None and context.snapshot.occasion and context.snapshot.occasion.alone
    return "Once you have played it, daily again, in the lobby, deals the same cards for practice." if is_alone else ""


IN_EXERCISES: Final = (
    Sentence(rf"^why not\b.* ({RANK})s?$", "Once you have answered, type another move to read its worth.", "puzzle"),
    Sentence(r"^(exit|quit|end|stop|close|leave) (lesson|tutorial|puzzle|it)$", "leave", "exercise"),
    Sentence(r"^next$|^n$|^(can|let|how do) (i|me) skip\b.*", "skip", "lesson"),
    Sentence(r"^(can i |let me |i want )?(try |do |have |get )?another( one| puzzle)?$", "next", "puzzle"),
    Sentence(r"^(can|let|how do) (i|me) skip\b.*", "next", "puzzle"),
    Sentence(r"^(what|which) is( it)?( about)?$", to_do, "exercise"),
    Sentence(r"^(give me |i (need|want) |any )?clue$", "hint", "lesson"),
    Sentence(r"^(go )?back$", "leave", "puzzle"),
    Sentence(r"(go|get|step|one) back\b.*\b(step|one|screen).*", "Type back: it goes one step back.", "lesson record"),
    Sentence(r"^(i )?((have )?(had|seen) |that is )?enough\b.*", "Type leave to go back.", "watching record"),
    Sentence(r"^prev(ious)?( one)?( move)?$", "back", "record"),
    Sentence(r"^(?:go )?back (\d+)( moves?)?$", r"back \1", "record"),
    Sentence(r"^(?:go|jump|skip) (?:move )?(\d+)$", r"move \1", "record"),
    Sentence(
        r"^((go|play|replay|watch|start)( it| that| game)? )?(back|from) (from )?(start|beginning)$"
        r"|^replay (it|that|game)( again)?$|^(again|start over|restart|play( it)? again)$",
        "move 0",
        "record",
    ),
    Sentence(r"^(stop|pause|halt)( it| playing)?$", "It stays at this move: play goes on, leave goes back.", "record"),
    Sentence(r"^(play|watch|show|run)( it| on| all| game| everything)$", "play", "replay"),
    Sentence(r"^(show |see )?(me )?how (did|has) .*\b(win|won|lose|lost|end|finish)(ed)?\b.*", "end", "replay"),
    Sentence(r"^(ok|okay|yeah|yep|sure|alright|all right|fine|understood|i see)$", to_do, "exercise"),
    Sentence(r"^(what|which)\b.* (other|different|new) cards\b.*", _OTHER_CARDS, "exercise"),
    Sentence(r"^(who|did i|have i|am i)\b.* (won|win|winning)$", _NO_WINNER, "exercise"),
    Sentence(r"^(what|how) (?!happens|if).*\bi\b.*\b(type|do|play)\b|\bdon't know\b", to_do, "exercise"),
    Sentence(
        r"^(?!play$)((i|can|let|let's|want|ok)\b.* )?(play|start|begin)( (for|real|game|it))*$"
        r"|^(i )?(had |know |that is )?(it )?(enough|already)\b.*|^i (already )?(know|get)( (it|rules)\b.*)?$",
        _END_OF_LESSON,
        "exercise",
    ),
    Sentence(
        r"^((give me |i (need|want) |any )?(hint|clue)|(show |what is |give )?(me )?(solution|answer|best move)"
        r"|(i )?give up)$",
        "There are no hints in a puzzle: odds helps, and your move shows the best one.",
        "puzzle",
    ),
    Sentence(r"^can i (try|play|do) (it |that )?again\b.*", _practice, GAME),
    Sentence(r"^.*\b(slower|faster|slow down|too (slow|fast))\b(?! than)|\bspeed (it )?up\b", _PACE, "record"),
)
