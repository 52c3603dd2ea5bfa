BEGIN TRANSACTION;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
INSERT INTO "entries" VALUES(1,'09e86993ddc14710553745e59e6bf42699320c06dba99f991976008ec1efcc1d','{"format":1,"key":"efa23d96d98065165f45ec6a974d3042958c8feb4bd17b38ce9fb7856187e2f0","kind":"ledger","number":1,"previous":"0000000000000000000000000000000000000000000000000000000000000000","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(2,'c00fbc016b85268a08c433793b1e929a8835b70b165e40cdcf93a861f1f0c072','{"budget":"2","delta_budget":"1/1000000","fingerprints":["ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"],"kind":"dataset","name":"ward 7","neighbours":"add-remove","number":2,"previous":"09e86993ddc14710553745e59e6bf42699320c06dba99f991976008ec1efcc1d","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(3,'26ad30a94e4a33a3f834e832e826f006020979021853e78533228a2df2cee714','{"dataset":"ward 7","delta":"0","epsilon":"2/5","failed":[],"kind":"spend","method":"equipoise","number":3,"override":"","previous":"c00fbc016b85268a08c433793b1e929a8835b70b165e40cdcf93a861f1f0c072","process":{"boot":"an earlier start of the machine","number":4242,"started":"1"},"release":"a1b404127b693527","time":"2026-11-16T14:40:38Z","token":"monday"}');
INSERT INTO "entries" VALUES(4,'4bd8f9a3d29ecbb5743d138903bacf17661a33d9f1542f44d8ba566a27cb6a4a','{"directory":"/nowhere/out","files":[{"name":"model.json","sha256":"0000000000000000000000000000000000000000000000000000000000000000","size":3}],"kind":"complete","number":4,"previous":"26ad30a94e4a33a3f834e832e826f006020979021853e78533228a2df2cee714","release":"a1b404127b693527","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(5,'15b5e12a9171e7ab6aa5f5cc088887769d2cb7f6a751c08ffe403561daa9be3c','{"dataset":"ward 7","delta":"0","epsilon":"3/10","graph":"9999999999999999999999999999999999999999999999999999999999999999","kind":"structure","method":"structure learned from the records","number":5,"previous":"4bd8f9a3d29ecbb5743d138903bacf17661a33d9f1542f44d8ba566a27cb6a4a","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(6,'7a2bcdf2733cb1f003039b2e9ecfd267d381ec67bc3979789dd19b891c579f1b','{"dataset":"ward 7","delta":"0","epsilon":"1/10","failed":[],"kind":"spend","method":"equipoise","number":6,"override":"","previous":"15b5e12a9171e7ab6aa5f5cc088887769d2cb7f6a751c08ffe403561daa9be3c","process":{"boot":"an earlier start of the machine","number":4242,"started":"1"},"release":"ab7eb365df3a3ab8","time":"2026-11-16T14:40:38Z","token":"tuesday"}');
INSERT INTO "entries" VALUES(7,'3f7ca71e79a9b89e28f299affdf9712a8b720a165e92168777191e505772bfb2','{"kind":"lost","number":7,"previous":"7a2bcdf2733cb1f003039b2e9ecfd267d381ec67bc3979789dd19b891c579f1b","reason":"the worker ended","release":"ab7eb365df3a3ab8","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(8,'09bc1e6a7e9f522a209909647929b71dc6450121cfc7a6d65be46268a8b20507','{"budget":"2","delta_budget":"1/1000000","fingerprints":["1111111111111111111111111111111111111111111111111111111111111111"],"kind":"dataset","name":"data 11111111","neighbours":"add-remove","number":8,"previous":"3f7ca71e79a9b89e28f299affdf9712a8b720a165e92168777191e505772bfb2","time":"2026-11-16T14:40:38Z"}');
INSERT INTO "entries" VALUES(9,'6acee51571e28c8ac1225eaa43de565667030abedc4be0df9213c65f2f14604f','{"dataset":"data 11111111","delta":"0","epsilon":"1/2","failed":[],"kind":"spend","method":"equipoise","number":9,"override":"","previous":"09bc1e6a7e9f522a209909647929b71dc6450121cfc7a6d65be46268a8b20507","process":{"boot":"an earlier start of the machine","number":4242,"started":"1"},"release":"3d6db30e2e843827","time":"2026-11-16T14:40:38Z","token":"friday"}');
CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
INSERT INTO "head" VALUES(1,9,'6acee51571e28c8ac1225eaa43de565667030abedc4be0df9213c65f2f14604f');
CREATE TABLE secret (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL) STRICT;
INSERT INTO "secret" VALUES(1,X'9A3473D6F274D932DC59A5FD2D410ED128FF9AFA820E0B3EBB081B1005AD50D0');
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never changed'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never deleted'); END;
CREATE TRIGGER secret_remains BEFORE DELETE ON secret
    BEGIN SELECT RAISE(ABORT, 'the key of the ledger is never deleted'); END;
CREATE TRIGGER secret_stays BEFORE UPDATE ON secret
    BEGIN SELECT RAISE(ABORT, 'the key of the ledger is never changed'); END;
COMMIT;
