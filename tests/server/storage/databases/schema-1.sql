PRAGMA user_version = 1;
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
INSERT INTO entry VALUES (1, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "2c94e9c93f60a2d5", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "word": "", "secret": "s", "version": "0.1.0"}' AS BLOB));
INSERT INTO entry VALUES (1, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "a29bb27f75689a58", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (1, 3, x'4689528416b4dbdb', 1763700000.0, CAST('{"v": 1, "id": "7f89986f83ed080f", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (1, 4, x'f99cc2013579c768', 1763700000.0, CAST('{"v": 1, "id": "44a78df774cbd648", "kind": "committed", "game": "GAME0001", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (1, 5, x'c0ceb14a52f40142', 1763700000.0, CAST('{"v": 1, "id": "df3e93d2addb6b76", "kind": "cut", "name": "ana", "text": "seven"}' AS BLOB));
INSERT INTO entry VALUES (1, 6, x'279326787cf9bc2f', 1763700000.0, CAST('{"v": 1, "id": "768de9267324fbba", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (1, 7, x'7459f497becc82cc', 1763700000.0, CAST('{"v": 1, "id": "ec24529bf28e16c8", "kind": "moved", "seat": 0, "move": "ready"}' AS BLOB));
INSERT INTO entry VALUES (2, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "af57743fc87ddb2d", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "word": "", "secret": "s", "version": "0.1.0"}' AS BLOB));
INSERT INTO entry VALUES (2, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "85723bda4fa47aa0", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "3ebc119bab946f25", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "word": "", "secret": "s", "version": "0.1.0"}' AS BLOB));
INSERT INTO entry VALUES (3, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "27dfc004dab5e9d7", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 3, x'4689528416b4dbdb', 1763700000.0, CAST('{"v": 1, "id": "1e0ec4627328663d", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (3, 4, x'd17b73f703387417', 1763700000.0, CAST('{"v": 1, "id": "7dbfae6fd8f12cab", "kind": "committed", "game": "GAME0003", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (3, 5, x'4e513139484a8922', 1763700000.0, CAST('{"v": 1, "id": "c865651c4839b47f", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (3, 6, x'a9d482d37f8bf1eb', 1763700000.0, CAST('{"v": 1, "id": "82e49ed8bc393d61", "kind": "abandoned"}' AS BLOB));
INSERT INTO game VALUES (1, 'GAME0003', 'quatch', 1763700000.0, '{"v":1,"finishes":[],"drawn":false,"plies":0}', 'Quatch record 1
checksum: 0dfcb99a21c159782620fee9640095ba56f1ce0597abde6a4ebb1510b3e863bf

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
dealer: seat 2

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
INSERT INTO text VALUES (1, 'name', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ana');
