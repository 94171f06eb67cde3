-- Version 14.

-- What programs found while they ran, by trying on their own calls (libtune's online tuning): no results of sweeps. The
-- figures are of calls on a machine at work; they are never best, and no view has them.
CREATE TABLE online (
    id            INTEGER PRIMARY KEY,
    template      INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
    device        INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
    toolchain     INTEGER NOT NULL REFERENCES toolchain ON DELETE CASCADE,
    size          TEXT NOT NULL,
    inputs        TEXT NOT NULL,   -- as of the problems
    configuration TEXT NOT NULL,   -- what the program launched in the end
    began_with    TEXT NOT NULL,   -- the configuration that it launched at first
    ratio         REAL NOT NULL,   -- the time of the one to that of the other: 1 if they are the same
    time_ns       REAL,            -- a call's, median
    calls         INTEGER NOT NULL,
    tries         INTEGER NOT NULL, -- launches of other configurations among them
    tried         TEXT NOT NULL,   -- JSON: the configurations that were not better, or wrong
    found_at      TEXT NOT NULL,
    UNIQUE (template, device, size, inputs)
);
CREATE INDEX online_device ON online (device);
CREATE INDEX online_toolchain ON online (toolchain);
