PRAGMA user_version = 2;
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
CREATE INDEX text_change_by_number ON text_change (kind, number);
CREATE TRIGGER text_written AFTER INSERT ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (NEW.kind, NEW.key);
    END;
CREATE TRIGGER text_forgotten AFTER DELETE ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (OLD.kind, OLD.key);
    END;
INSERT INTO entry VALUES (1, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "b1a14ca2b533be37", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (1, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "1fd18c5abcf48784", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (1, 3, x'4689528416b4dbdb', 1763700000.0, CAST('{"v": 1, "id": "558eef4bb77699e9", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (1, 4, x'f99cc2013579c768', 1763700000.0, CAST('{"v": 1, "id": "8d2804eb137fcf2d", "kind": "committed", "game": "GAME0001", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (1, 5, x'c0ceb14a52f40142', 1763700000.0, CAST('{"v": 1, "id": "41f70401cabaa4da", "kind": "cut", "name": "ana", "text": "seven", "player_id": ""}' AS BLOB));
INSERT INTO entry VALUES (1, 6, x'c1f7549f0760e125', 1763700000.0, CAST('{"v": 1, "id": "56814d675f9cf1ae", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (1, 7, x'bb682e34f4590180', 1763700000.0, CAST('{"v": 1, "id": "d0f716d28576bb0a", "kind": "moved", "seat": 0, "move": "ready"}' AS BLOB));
INSERT INTO entry VALUES (2, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "d73194ef61e60feb", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (2, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "ae08174d2fc6fd95", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 1, x'd3bce2744e503aec', 1763700000.0, CAST('{"v": 1, "id": "b4a6fa9a0a50a1c9", "kind": "opened", "rules": "quatch", "options": {}, "seats": 2, "level": "easy", "title": "", "clock": 60.0, "pace": null, "word": "", "secret": "s", "version": "0.1.0", "hints": true}' AS BLOB));
INSERT INTO entry VALUES (3, 2, x'858713ae102efc0c', 1763700000.0, CAST('{"v": 1, "id": "e93587dcd71284c7", "kind": "sat", "seat": 0, "player": {"id": "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ana", "kind": "person", "level": null}}' AS BLOB));
INSERT INTO entry VALUES (3, 3, x'4689528416b4dbdb', 1763700000.0, CAST('{"v": 1, "id": "de2e909226e82bd6", "kind": "sat", "seat": 1, "player": {"id": "ai:Fox", "name": "Fox", "kind": "ai", "level": "easy"}}' AS BLOB));
INSERT INTO entry VALUES (3, 4, x'd17b73f703387417', 1763700000.0, CAST('{"v": 1, "id": "036b644248b517cb", "kind": "committed", "game": "GAME0003", "seed": "0000000000000000000000000000000000000000000000000000000000000000"}' AS BLOB));
INSERT INTO entry VALUES (3, 5, x'f8ae8587c18b7d71', 1763700000.0, CAST('{"v": 1, "id": "572d4321dfe3152c", "kind": "dealt", "dealer": null}' AS BLOB));
INSERT INTO entry VALUES (3, 6, x'a9d482d37f8bf1eb', 1763700000.0, CAST('{"v": 1, "id": "d48c7222a4813c71", "kind": "abandoned"}' AS BLOB));
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
INSERT INTO text VALUES (1, 'name', 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ana');
