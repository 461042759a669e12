"""The Quatch server: carriers, sessions, the lobby and its tables. A map, from the top; imports only point down.

cli                          the sub-commands of ``quatch``
app                          listeners, lobby, signals, graceful stop
ssh, telnet, local           carriers: bytes in and out, and who is there
negotiation, telnet_parser   what a telnet client is, and what its bytes mean
door, gate, proxy, intake    where connections come in, who may, and how fast they are read
asyncssh_inside              what has to be reached for inside asyncssh
session                      one player, from hello to good-bye
screen, line                 what a person sees and types into: full screen, or plain lines
lobby                        which tables there are and who is about
table                        one table's coordinator, the only writer of its log
scene, frame, words          what to show, drawn as rows or said in sentences
commands                     what typed text means
names                        which names look alike, which one is free
standings                    who plays how well: a fold of the finished games
facts                        a table as the fold of its log
store, results               the append-only log, what became of a game
terminal, keys               bytes to keys, text to bytes
clean, limits, config, logs, hostkeys
"""
