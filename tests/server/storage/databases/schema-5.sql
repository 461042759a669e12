PRAGMA user_version = 5;
CREATE TABLE entry (
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        at REAL NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT;
CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        rules TEXT NOT NULL,
        at REAL NOT NULL,
        result TEXT NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
CREATE TABLE text (
        written INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        UNIQUE (kind, key)
    ) STRICT;
CREATE TABLE text_change (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        UNIQUE (kind, key)
    ) STRICT;
CREATE TABLE standing (
        rules TEXT NOT NULL,
        key TEXT NOT NULL,
        strength REAL NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (rules, key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE counted (number INTEGER NOT NULL) STRICT;
CREATE TABLE table_row (
        table_id INTEGER PRIMARY KEY,
        change INTEGER NOT NULL UNIQUE,
        is_open INTEGER NOT NULL,
        due REAL
    ) STRICT;
CREATE TABLE seat (
        table_id INTEGER NOT NULL,
        look TEXT NOT NULL,
        player_id TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (table_id, player_id, look)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE opener (
        opener TEXT NOT NULL,
        table_id INTEGER NOT NULL,
        PRIMARY KEY (opener, table_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE look (
        look TEXT NOT NULL,
        written INTEGER NOT NULL,
        PRIMARY KEY (look, written)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE new_name (written INTEGER PRIMARY KEY) STRICT;
CREATE TABLE text_count (kind TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO entry VALUES (1, 1, X'D3BCE2744E503AEC', 1763700000.0, CAST('{"v": 1, "id": "b1a14ca2b533be37", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (1, 2, X'858713AE102EFC0C', 1763700000.0, CAST('{"v": 1, "id": "1fd18c5abcf48784", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (1, 3, X'4689528416B4DBDB', 1763700000.0, CAST('{"v": 1, "id": "558eef4bb77699e9", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (1, 4, X'F99CC2013579C768', 1763700000.0, CAST('{"v": 1, "id": "8d2804eb137fcf2d", "kind": "committed", "game": "GAME0001", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (1, 5, X'C0CEB14A52F40142', 1763700000.0, CAST('{"v": 1, "id": "41f70401cabaa4da", "kind": "cut", "name": "ana", "text": "seven", "player_id": ""}' AS BLOB));
INSERT INTO entry VALUES (1, 6, X'C1F7549F0760E125', 1763700000.0, CAST('{"v": 1, "id": "56814d675f9cf1ae", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (1, 7, X'BB682E34F4590180', 1763700000.0, CAST('{"v": 1, "id": "d0f716d28576bb0a", "kind": "moved", "seat": 0, "move": "ready"}' AS BLOB));
INSERT INTO entry VALUES (2, 1, X'D3BCE2744E503AEC', 1763700000.0, CAST('{"v": 1, "id": "d73194ef61e60feb", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (2, 2, X'858713AE102EFC0C', 1763700000.0, CAST('{"v": 1, "id": "ae08174d2fc6fd95", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 1, X'D3BCE2744E503AEC', 1763700000.0, CAST('{"v": 1, "id": "b4a6fa9a0a50a1c9", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (3, 2, X'858713AE102EFC0C', 1763700000.0, CAST('{"v": 1, "id": "e93587dcd71284c7", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 3, X'4689528416B4DBDB', 1763700000.0, CAST('{"v": 1, "id": "de2e909226e82bd6", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (3, 4, X'D17B73F703387417', 1763700000.0, CAST('{"v": 1, "id": "036b644248b517cb", "kind": "committed", "game": "GAME0003", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (3, 5, X'F8AE8587C18B7D71', 1763700000.0, CAST('{"v": 1, "id": "572d4321dfe3152c", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (3, 6, X'A9D482D37F8BF1EB', 1763700000.0, CAST('{"v": 1, "id": "d48c7222a4813c71", "kind": "abandoned"}' AS BLOB));
INSERT INTO game VALUES (1, 'GAME0003', 'quatch', 1763700000.0, '{"v":1,"finishes":[],"drawn":false,"plies":0}', 'Quatch record 1
checksum: b70e6fe5efc692677f2d238c0fd4849ad1e6dc7f1cea5e62b2e6dfd93d8a8afe

game: GAME0003
rules: quatch
title: "Quatch"
option play.whole_sets: true
player 1: "ana", person
player 2: "Fox", AI player, easy
began: 2025-11-21T04:40:00Z
ended: 2025-11-21T04:40:00Z
version: "0.1.0"
seed: 0000000000000000000000000000000000000000000000000000000000000000
dealer: none

commitment: 6e296fabda88ee0d218f57feaaa924db69a2ccc1094eb7468f65aab29da21c3d
deck: 1 4 4 4 4 4 4 4 1 4 4 4 4
deal: 3 down, 3 up, 3 in hand
start: lowest
seat 1: down 6s 9h Jc, up 6c 9s Ks, hand Ts Qd Kc
seat 2: down 2s 7h 9d, up 3d 7s 9c, hand 5s 8s Qs
stock: 5c 4c Ah 7d Js 4h 3s Qc 3h 4d 8h 3c 4s Jd 7c Kd Kh 6h Qh As Ad 8c Jh 6d 8d Ac 5d 5h
luck: 1 2


places: none
result: abandoned
');
INSERT INTO game VALUES (2, '8Z220PWS', 'quatch', 1763700000.5, '{"v":1,"finishes":[{"key":"SHA256:SLvUnqtkvowsxHWcOtdatuFQlbAtMPrBnE7/qh+br0I","name":"hal","rank":1},{"key":"ai:easy","name":"Fox","rank":2},{"key":"ai:easy","name":"Owl","rank":2}],"drawn":false,"plies":116}', 'Quatch record 1
checksum: b63216b6eed73223e621a2cb2d2e6a28707a7c30a691688160b9388465346d86

game: 8Z220PWS
rules: quatch
title: "Quatch"
option play.whole_sets: true
player 1: "hal", bot
player 2: "Fox", AI player, easy
player 3: "Owl", AI player, easy
began: 2026-11-22T02:46:31.7335439Z
ended: 2026-11-22T02:46:32.0369468Z
version: "0.1.0"
seed: 000000000000000000000000000000000000000000000000000000000000000d
dealer: none

commitment: fc5dde71fc91cd9ed958d74d51d88907b66b6b90356508db676531cdc7121a84
deck: 1 4 4 4 4 4 4 4 1 4 4 4 4
deal: 3 down, 3 up, 3 in hand
start: lowest
seat 1: down As 7s 7d, up 4s Tc Kc, hand 4h 5s 6h
seat 2: down 9s 3h Qd, up 5d 9d Qh, hand 5c 9h Jc
seat 3: down Kh 4c 5h, up 3c 8s Ad, hand 2c 3s Jh
stock: 7h Kd Jd Qs 3d 9c 6d 8h Ks Ac Qc 6s 6c Ah Js 8c 7c 8d 4d
luck: 3 1 2

1. seat 2: ready
2. seat 1: ready
3. seat 3: ready
4. seat 1: play 4
5. seat 2: play 5
6. seat 3: play 2
7. seat 1: play 5
8. seat 2: play 9
9. seat 3: play J
10. seat 1: play K
11. seat 2: pickup
12. seat 3: play 6
13. seat 1: play 6
14. seat 2: play 2
15. seat 3: play 7
16. seat 1: play 8
17. seat 2: play 9 9
18. seat 3: play Q Q
19. seat 1: play A
20. seat 2: pickup
21. seat 3: play 6
22. seat 1: play 6
23. seat 2: play 2
24. seat 3: play 8
25. seat 1: play J
26. seat 2: play J J J
27. seat 2: play 3
28. seat 3: play 8
29. seat 1: pickup
30. seat 2: play 4
31. seat 3: play K
32. seat 1: pickup
33. seat 2: play 5 5
34. seat 3: play A
35. seat 1: pickup
36. seat 2: play 6 6
37. seat 3: play 8
38. seat 1: play 8
39. seat 2: play 8
40. seat 3: play A
41. seat 1: play A
42. seat 2: play A
43. seat 3: pickup
44. seat 1: play 3 3
45. seat 2: play 7
46. seat 3: play 8 8 8
47. seat 1: play K
48. seat 2: play K
49. seat 3: play A A A
50. seat 1: pickup
51. seat 2: play 9 9
52. seat 3: pickup
53. seat 1: play 3 3
54. seat 2: play Q Q
55. seat 3: pickup
56. seat 1: play 4 4
57. seat 2: play 9
58. seat 3: play 9 9
59. seat 1: play K K
60. seat 2: pickup
61. seat 3: play 3 3
62. seat 1: play 5 5
63. seat 2: play 9 9 9
64. seat 3: play Q Q
65. seat 1: play A A A
66. seat 2: pickup
67. seat 3: play 6 6
68. seat 1: play 7 7
69. seat 2: play 9 9 9
70. seat 3: pickup
71. seat 1: play 8 8 8
72. seat 2: play Q Q
73. seat 3: pickup
74. seat 1: play 4
75. seat 2: play 4 4
76. seat 3: play 6 6
77. seat 1: play T
78. seat 1: play K
79. seat 2: play K K
80. seat 3: pickup
81. seat 1: flip 1
82. seat 2: play A A A
83. seat 2: play 3 3
84. seat 3: play 7 7
85. seat 1: flip 2
86. seat 2: pickup
87. seat 3: play 8 8 8
88. seat 1: flip 3
89. seat 2: play 3 3
90. seat 3: play 9 9 9
91. seat 1: pickup
92. seat 2: play 5 5
93. seat 3: play Q Q
94. seat 1: pickup
95. seat 2: play 7 7 7
96. seat 3: play K K K
97. seat 1: pickup
98. seat 2: play 5
99. seat 3: pickup
100. seat 1: play 3 3
101. seat 2: play Q
102. seat 3: pickup
103. seat 1: play 5 5
104. seat 2: flip 2
105. seat 3: play 3 3
106. seat 1: play 7 7 7 7
107. seat 1: play 8 8 8
108. seat 2: pickup
109. seat 3: play 5
110. seat 1: play 9 9 9
111. seat 2: pickup
112. seat 3: play Q
113. seat 1: play Q Q
114. seat 2: pickup
115. seat 3: play 3
116. seat 1: play K K K

places: 1
result: seat 1 wins
');
INSERT INTO text VALUES (1, 'name', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ana');
INSERT INTO text VALUES (2, 'settings', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '{"v": 1, "cards": "words"}');
INSERT INTO text VALUES (3, 'account', 'SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
INSERT INTO text VALUES (4, 'seen', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '{"v":1,"day":20779}');
INSERT INTO text_change VALUES (1, 'name', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
INSERT INTO text_change VALUES (2, 'settings', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
INSERT INTO text_change VALUES (3, 'account', 'SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB');
INSERT INTO text_change VALUES (4, 'seen', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
INSERT INTO standing VALUES ('quatch', 'SHA256:SLvUnqtkvowsxHWcOtdatuFQlbAtMPrBnE7/qh+br0I', 3.253318548555445, '{"v":1,"key":"SHA256:SLvUnqtkvowsxHWcOtdatuFQlbAtMPrBnE7/qh+br0I","rules":"quatch","name":"hal","games":1,"wins":1,"draws":0,"places":[1],"streak":1,"best_streak":1,"mu":27.869048680749426,"sigma":8.205243377397993}');
INSERT INTO standing VALUES ('quatch', 'ai:easy', -0.6091970087818481, '{"v":1,"key":"ai:easy","rules":"quatch","name":"easy AI player","games":2,"wins":0,"draws":0,"places":[0,2],"streak":0,"best_streak":0,"mu":23.565475659625285,"sigma":8.058224222802378}');
INSERT INTO counted VALUES (2);
INSERT INTO table_row VALUES (1, 1, 1, NULL);
INSERT INTO table_row VALUES (2, 4, 1, 11763700100.0);
INSERT INTO table_row VALUES (3, 3, 1, NULL);
INSERT INTO seat VALUES (2, 'ana', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ana');
INSERT INTO look VALUES ('ana', 1);
INSERT INTO text_count VALUES ('account', 1);
INSERT INTO text_count VALUES ('name', 1);
INSERT INTO text_count VALUES ('seen', 1);
INSERT INTO text_count VALUES ('settings', 1);
CREATE INDEX text_change_by_number ON text_change (kind, number);
CREATE TRIGGER text_written AFTER INSERT ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (NEW.kind, NEW.key);
    END;
CREATE TRIGGER text_forgotten AFTER DELETE ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (OLD.kind, OLD.key);
    END;
CREATE INDEX standing_by_key ON standing (key);
CREATE INDEX standing_by_strength ON standing (rules, strength, key);
CREATE INDEX standing_best ON standing (strength, key) WHERE rules <> '';
CREATE INDEX table_awake ON table_row (table_id) WHERE is_open = 1 AND due IS NULL;
CREATE INDEX table_closed ON table_row (table_id) WHERE is_open = 0;
CREATE INDEX table_due ON table_row (due) WHERE due IS NOT NULL;
CREATE INDEX seat_by_player ON seat (player_id);
CREATE INDEX seat_by_look ON seat (look);
CREATE INDEX opener_by_table ON opener (table_id);
CREATE TRIGGER entry_written AFTER INSERT ON entry BEGIN
        INSERT INTO table_row (table_id, change, is_open)
        SELECT NEW.table_id, (SELECT ifnull(max(change), 0) + 1 FROM table_row), 1
        WHERE NOT EXISTS (SELECT 1 FROM table_row WHERE table_id = NEW.table_id);
        UPDATE table_row SET change = (SELECT max(change) + 1 FROM table_row) WHERE table_id = NEW.table_id;
        UPDATE table_row SET is_open = 1, due = NULL
        WHERE table_id = NEW.table_id AND (is_open = 0 OR due IS NOT NULL);
    END;
CREATE TRIGGER table_closed AFTER DELETE ON entry
    WHEN NOT EXISTS (SELECT 1 FROM entry WHERE table_id = OLD.table_id) BEGIN
        UPDATE table_row SET is_open = 0, due = NULL, change = (SELECT max(change) + 1 FROM table_row)
        WHERE table_id = OLD.table_id;
        DELETE FROM seat WHERE table_id = OLD.table_id;
        DELETE FROM opener WHERE table_id = OLD.table_id;
    END;
CREATE INDEX look_by_text ON look (written);
CREATE TRIGGER name_written AFTER INSERT ON text WHEN NEW.kind = 'name' BEGIN
        INSERT INTO new_name (written) VALUES (NEW.written);
    END;
CREATE TRIGGER name_forgotten AFTER DELETE ON text WHEN OLD.kind = 'name' BEGIN
        DELETE FROM look WHERE written = OLD.written;
        DELETE FROM new_name WHERE written = OLD.written;
    END;
CREATE INDEX text_account ON text (value) WHERE kind = 'account';
CREATE TRIGGER text_added AFTER INSERT ON text BEGIN
        INSERT OR IGNORE INTO text_count (kind, number) VALUES (NEW.kind, 0);
        UPDATE text_count SET number = number + 1 WHERE kind = NEW.kind;
    END;
CREATE TRIGGER text_removed AFTER DELETE ON text BEGIN
        UPDATE text_count SET number = number - 1 WHERE kind = OLD.kind;
    END;
