-- Version 10.

-- Of launches that the host interrupts to read a count or a flag back: the time without its latency, the sum of the
-- pieces in between, each queued as a whole before it begins. NULL: nothing interrupts them, or an older version.
ALTER TABLE evaluation ADD COLUMN device_ns REAL;
