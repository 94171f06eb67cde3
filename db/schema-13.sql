-- Version 13: trees of others, which stand beside one's own.
PRAGMA legacy_alter_table = ON;
CREATE TABLE dispatch_13 (
    id        INTEGER PRIMARY KEY,
    template  INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
    device    INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
    toolchain INTEGER NOT NULL REFERENCES toolchain ON DELETE CASCADE, -- that they were measured with
    inputs    TEXT NOT NULL,                                          -- as of the problems
    objective TEXT NOT NULL,
    made_at   TEXT NOT NULL,
    document  TEXT NOT NULL,                                          -- JSON, see tuner/dispatch/dispatch.h
    origin    TEXT NOT NULL DEFAULT 'measured',                       -- or shipped, imported: of a file of known results
    UNIQUE (template, device, inputs, objective, origin)
);
INSERT INTO dispatch_13 (id, template, device, toolchain, inputs, objective, made_at, document)
SELECT id, template, device, toolchain, inputs, objective, made_at, document FROM dispatch;
DROP TABLE dispatch;
ALTER TABLE dispatch_13 RENAME TO dispatch;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX dispatch_device ON dispatch (device);
CREATE INDEX dispatch_toolchain ON dispatch (toolchain);
