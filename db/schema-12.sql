-- Version 12.

-- What sweeps over many sizes leave: a few configurations, and the tree that picks among them by a problem's sizes.
CREATE TABLE dispatch (
    id        INTEGER PRIMARY KEY,
    template  INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
    device    INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
    toolchain INTEGER NOT NULL REFERENCES toolchain ON DELETE CASCADE, -- that they were measured with
    inputs    TEXT NOT NULL,                                          -- as of the problems
    objective TEXT NOT NULL,
    made_at   TEXT NOT NULL,
    document  TEXT NOT NULL,                                          -- JSON, see tuner/dispatch/dispatch.h
    UNIQUE (template, device, inputs, objective)
);
CREATE INDEX dispatch_device ON dispatch (device);
CREATE INDEX dispatch_toolchain ON dispatch (toolchain);
