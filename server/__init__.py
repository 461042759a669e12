"""The Quatch server: carriers, sessions, the lobby and its tables. A map, from the top; imports only point down.

cli                          what those who play and host say to ``quatch``; cli_finished, about finished games;
                             cli_tools, for those who build on it
app, chores                  listeners, lobby, signals, graceful stop; what is done in the background
at_home                      a game, a replay or a review in this terminal, no network
ssh, telnet, local           carriers: bytes in and out, and who is there; ssh_channel, a session's part of a connection
negotiation, telnet_parser   what a telnet client is, and what its bytes mean
watchdog, service            whoever holds up the event loop; what a service manager is told
metrics, census, monitoring  what is counted, what there is, and where a host's monitoring reads it
garbage, descriptors         what connections leave behind, and how many there may be
door, gate, proxy, intake    where connections come in, who may, and how fast they are read
admission, sanctions         whom the host lets in: the allow-list, bans; who may not talk: mutes
admin, drain                 what ops can do, to people and to the server
asyncssh_inside              what has to be reached for inside asyncssh
session                      one player at a terminal, from hello to good-bye
bot, jsonlines, remote       the same for programs; commands of ssh that are answered and gone
bots                         our AI players as such programs, at any server
visit, place, acts, answers  where a player is, what they can do there, and ask
news, aside, caution         what they are told of their table, look at meanwhile, are asked twice
countdown, farewell          what is left on their clock; how they come back to their seat
probe                        what a terminal can show, asked of itself
screen, line                 what a person sees and types into: full screen, or plain lines
painter, input_line, keys    rows to bytes, the line that is typed, bytes to keys; ascii, for those who have no more
playback, replay, lesson     finished games again, and made-up ones to learn from
looking_back, review         a finished game thought over: what its moves cost (review_words tells it)
lobby, tables, presence      which tables there are, who is about, here and in other processes
table, seating, schedule     one table's coordinator: what is asked for, of the game and of the seats; what is due
inbox, stage                 one request after the other; every change logged and then shown
members, showing             who is at a table, and what each may see of it
update                       what a table tells each of its members
ai_turns, ai_seats, thinking AI players' moves and names; worker processes where they take long
journal, fold, facts         one table's log and the table that it comes to; changes: what can be done to it
happenings                   what happens at a table beside the game's own events
record, verify, fairness     a finished game as text; a deal nobody can doubt; deal_text, text_lines
standings, results, tally    who plays how well, what became of a game, what each has done in it
archive                      finished games as people ask for them
scene, frame                 what to show, drawn as rows: lobby_frame, table_frame, results_frame; ways, what to type
canvas, faces, drawn         how much space there is, how cards look; card_rows, own_rows, pile_rows draw them
cells, styles                rows of styled text and their width
words, position_words        what happens in sentences, and how a table stands; tips, odds, reasons
commands, terms, offers      what typed text means, what a table is opened for, what could be typed
rulebook                     the rule sets that can be played here, house rules among them
idleness, rate               who does nothing for long is let go; how often something may be done
names, name_book, settings   which names look alike, whose they are; what people choose for themselves
accounts, linking            which keys are one person's, and how they come to be; remembered, in the log
store, sqlite_log            the append-only log, and its file (sqlite_file)
bench_*, arena, fit          how fast it is, how well AI players play, what they learn
fitting, selfplay            how they learn; regression, progress
clean, limits, config, logs, hostkeys, version
"""
