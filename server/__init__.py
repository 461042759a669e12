"""The Quatch server: people, AI players and bots at one table, over ssh and telnet.

Each package says in its `__init__` what it is for and where to begin. From the top; imports only point down:

cli, bench, training    the sub-commands of `quatch`, its benches, and how AI players learn
app                     the wiring of a running server
transport               bytes in and out, and the proof that a client holds a key
session                 one connection's loop: people, bots, single commands
commands                what can be asked for by name
player                  one player's session: where they are and what they were told
lobby, history          tables and people; finished games
render, language        a scene as rows; typed text in, sentences out
table, ai               one table and its log; where AI players think
records                 a game as text, and the proof of its deal
terminal, net, people   a far terminal; connections; identity, names, sanctions
ops, storage            the health of the process; the log that everything is kept in
"""
