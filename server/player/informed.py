"""What a player sees and is told, wherever they are: their scene, notes, talk, and the news of tournaments."""

from collections.abc import Sequence

from server.language.table_list import folded_list, in_order
from server.language.tournament_text import event_text, is_call
from server.lobby.lobby import Lobby
from server.lobby.visitor import TournamentNews
from server.people.players import Caller, Kind
from server.player.front_end import FrontEnd
from server.player.identity import Identity
from server.player.location import Located
from server.player.table_feed import TableFeed
from server.player.talk import Talk
from server.player.tournament_wait import TournamentWait
from server.render.lobby_frame import LobbyHint
from server.render.scene import Page, Scene, Teaches
from server.table.recent_talk import Said
from server.tournament.state import Tournament
from server.tournament.waiting import Wait


class Informed(Identity, Located):
    """A player with a location, and what they know."""

    def __init__(self, lobby: Lobby, caller: Caller, front_end: FrontEnd, kind: Kind) -> None:
        Identity.__init__(self, lobby, caller, kind)
        Located.__init__(self)
        self.front_end = front_end
        self.feed = TableFeed(front_end.told)
        self.talk = Talk(lobby.visitors.recent_talk, front_end.told, lobby.is_silenced)
        self.tournament_wait = TournamentWait()

    @property
    def scene(self) -> Scene:
        """What the player sees, without the answer and the page on their terminal."""
        return self.scene_with()

    def scene_with(self, answer: str = "", page: Page | None = None) -> Scene:
        """What the player sees, with this answer and this page on their terminal."""
        side_view, drawn = self.side_view, self.front_end.is_drawn
        scene = Scene(
            name=self.player.name,
            rulebook=self.lobby.rulebook,
            settings=self.settings,
            resume_code=self.resume_code,
            snapshot=self.snapshot,
            people=self.location.people,
            log=side_view.log if side_view else self.feed.log,
            # An exercise needs the room: it shows what was said since it began.
            talk=self.talk.new_lines if self.place.kind == "exercise" else self.talk.lines,
            drawn=drawn,
            clock_left=self.feed.clock_left,
            answer=answer,
            reason=self.feed.reason,
            page=page,
            progress=side_view.progress if side_view else None,
            waiting=self.tournament_wait.text,
            call=self.tournament_wait.call,
            invitation=self.tournament_wait.invitation,
            has_signs=self.front_end.has_signs,
        )
        if not self.at_table:
            own = self.own_seats if drawn and side_view is None else {}
            scene.hints = [hint.text for hint in self.lobby.features.all(LobbyHint)]
            scene.teaches = next(iter(self.lobby.features.all(Teaches)), None)
            scene.tables, scene.folded_tables = folded_list(in_order(self.location.tables, own), own)
            scene.kept_seats = tuple(sorted(own.keys() - {table.number for table in scene.tables}))
        return scene

    # What the table, the lobby and tournaments tell; see `snapshot.Subscriber` and `visitor.LocalVisitor`.

    def note(self, line: str) -> None:
        """Tell the player something about their table that is not told again later."""
        if self.at_table:
            self.feed.note(line)
            self.front_end.told([line])

    def _note_anywhere(self, line: str) -> None:
        if self.at_table:
            self.note(line)
        else:
            self.front_end.answered("", [line])

    def hear(self, name: str, line: str) -> None:
        """A player said something."""
        self.talk.hear(name, line)

    def recall_talk(self, said: Sequence[Said]) -> None:
        """What was said at the table before the player came."""
        self.talk.recall(said)

    def told_of(self, news: TournamentNews) -> None:
        """Something has happened in a tournament."""
        if is_call(news.event, self.player.id):
            self.front_end.called()
        if line := event_text(news.state, news.event, self.player.id):
            self.hear("server", line)

    def waits(self, wait: Wait | None, now: float, may_enter: Tournament | None) -> None:
        """When the player's next table in a tournament comes; see `LocalVisitor.waits`."""
        if self.tournament_wait.update(wait, now, may_enter, by_seconds=self.settings.motion == "full"):
            self.front_end.told([] if self.front_end.is_drawn else self.tournament_wait.to_say)
