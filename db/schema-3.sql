-- Version 3: evaluations that were imported from other tools' files, and the time that the tuner itself took.
--
-- The CHECK of `origin` changes, which takes a new table (www.sqlite.org/lang_altertable.html, 7). Foreign keys are off
-- meanwhile, and nothing that names the table is to be rewritten.

PRAGMA legacy_alter_table = ON;

CREATE TABLE evaluation_3 (
    id                INTEGER PRIMARY KEY,
    problem           INTEGER NOT NULL REFERENCES problem ON DELETE CASCADE,
    configuration     TEXT NOT NULL, -- canonical JSON object
    outcome           TEXT NOT NULL, -- ok, compile_error, wrong_result, ...
    message           TEXT NOT NULL DEFAULT '',
    time_ns           REAL,          -- median (imported: as the other tool has it); only where the outcome is ok
    time_low_ns       REAL,          -- 95 % confidence interval of the median
    time_high_ns      REAL,
    samples_ns        TEXT,          -- JSON array, in the order taken
    error_ratio       REAL,          -- largest error over the allowed one
    registers         INTEGER,       -- a thread
    local_bytes       INTEGER,       -- a thread
    spill_bytes       INTEGER,
    shared_bytes      INTEGER,       -- a block
    max_threads       INTEGER,       -- that a block of this kernel may have
    occupancy         REAL,          -- 0 to 1
    sm_clock_mhz      INTEGER,
    memory_clock_mhz  INTEGER,
    temperature_c     INTEGER,
    power_mw          INTEGER,
    throttle_reasons  INTEGER,       -- NVML's bits
    compile_seconds   REAL,
    validate_seconds  REAL,
    measure_seconds   REAL,
    measured_at       TEXT NOT NULL,
    origin            TEXT NOT NULL CHECK (origin IN ('measured', 'shipped', 'imported')),
    energy_j          REAL,          -- of one run of the launches
    energy_error_j    REAL,          -- half the width of its 95 % interval
    throttled         INTEGER,       -- samples taken while the device was throttled, and repeated
    uuid              TEXT,          -- of the very device that measured it
    seed              TEXT,          -- of the inputs it was validated on; decimal, 64 bits
    lost_to           INTEGER REFERENCES evaluation ON DELETE SET NULL, -- the winner of the finals that it lost or tied
    lost_by           TEXT,          -- the objective of those finals
    framework_seconds REAL,          -- what the other tool took for itself; of imported rows
    UNIQUE (problem, configuration)
);

INSERT INTO evaluation_3
SELECT id, problem, configuration, outcome, message, time_ns, time_low_ns, time_high_ns, samples_ns, error_ratio,
       registers, local_bytes, spill_bytes, shared_bytes, max_threads, occupancy, sm_clock_mhz, memory_clock_mhz,
       temperature_c, power_mw, throttle_reasons, compile_seconds, validate_seconds, measure_seconds, measured_at,
       origin, energy_j, energy_error_j, throttled, uuid, seed, lost_to, lost_by, NULL
FROM evaluation;

DROP TABLE evaluation;
ALTER TABLE evaluation_3 RENAME TO evaluation;
PRAGMA legacy_alter_table = OFF;

CREATE INDEX evaluation_time ON evaluation (problem, time_ns) WHERE outcome = 'ok';
CREATE INDEX evaluation_lost_to ON evaluation (lost_to) WHERE lost_to IS NOT NULL;
