-- Version 1. SCHEMA.md beside this file explains the tables; a change of them is a new file, never a change of this one.
--
-- A value that is not known is NULL, never -1 or 0. Times are ISO 8601 in UTC with milliseconds. JSON columns are text.
-- The words kept to are those of SQLite 3.25, so that the shells of long-lived distributions can read the file.

-- One row a kind of device; its UUID is that of the last one seen and does not tell devices apart.
CREATE TABLE device (
    id             INTEGER PRIMARY KEY,
    kind           TEXT NOT NULL,    -- cuda, cpu
    name           TEXT NOT NULL,
    architecture   TEXT NOT NULL,
    sm_count       INTEGER NOT NULL,
    memory_gib     INTEGER NOT NULL, -- rounded: drivers differ by some megabytes on one and the same GPU
    uuid           TEXT,
    peak_flops     REAL,             -- fp32 operations a second
    peak_bandwidth REAL,             -- bytes a second
    description    TEXT NOT NULL,    -- JSON: everything else that is known of it
    UNIQUE (kind, name, architecture, sm_count, memory_gib)
);

CREATE TABLE toolchain (
    id       INTEGER PRIMARY KEY,
    driver   TEXT NOT NULL,
    compiler TEXT NOT NULL,
    UNIQUE (driver, compiler)
);

-- One row a version of a template: another hash is another kernel.
CREATE TABLE template (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    path    TEXT,          -- where it was when last used
    used_at TEXT NOT NULL, -- by a run or by shipped knowledge; the latest version answers
    UNIQUE (name, hash)
);

CREATE TABLE space (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL, -- as written
    UNIQUE (name, hash)
);

-- What the evaluations that may be compared have in common.
CREATE TABLE problem (
    id        INTEGER PRIMARY KEY,
    template  INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
    device    INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
    toolchain INTEGER NOT NULL REFERENCES toolchain ON DELETE CASCADE,
    size      TEXT NOT NULL, -- M=4096,N=4096,K=4096
    flops     REAL,
    bytes     REAL,
    UNIQUE (template, device, toolchain, size)
);
CREATE INDEX problem_device ON problem (device);
CREATE INDEX problem_toolchain ON problem (toolchain);

CREATE TABLE run (
    id             INTEGER PRIMARY KEY,
    problem        INTEGER NOT NULL REFERENCES problem ON DELETE CASCADE,
    space          INTEGER NOT NULL REFERENCES space ON DELETE CASCADE,
    strategy       TEXT NOT NULL,
    budget         TEXT,
    objective      TEXT,
    seed           TEXT NOT NULL, -- decimal; 64 bits without sign
    configurations REAL NOT NULL, -- valid ones in the space
    tune_version   TEXT NOT NULL,
    host           TEXT,
    started_at     TEXT NOT NULL,
    ended_at       TEXT,
    status         TEXT NOT NULL DEFAULT 'running' -- running, done, budget, interrupted, failed
);
CREATE INDEX run_problem ON run (problem);
CREATE INDEX run_space ON run (space);

CREATE TABLE evaluation (
    id               INTEGER PRIMARY KEY,
    problem          INTEGER NOT NULL REFERENCES problem ON DELETE CASCADE,
    configuration    TEXT NOT NULL, -- canonical JSON object
    outcome          TEXT NOT NULL, -- ok, compile_error, wrong_result, ...
    message          TEXT NOT NULL DEFAULT '',
    time_ns          REAL,          -- median; only where the outcome is ok
    time_low_ns      REAL,          -- 95 % confidence interval of the median
    time_high_ns     REAL,
    samples_ns       TEXT,          -- JSON array, in the order taken
    error_ratio      REAL,          -- largest error over the allowed one
    registers        INTEGER,       -- a thread
    local_bytes      INTEGER,       -- a thread
    spill_bytes      INTEGER,
    shared_bytes     INTEGER,       -- a block
    max_threads      INTEGER,       -- that a block of this kernel may have
    occupancy        REAL,          -- 0 to 1
    sm_clock_mhz     INTEGER,
    memory_clock_mhz INTEGER,
    temperature_c    INTEGER,
    power_mw         INTEGER,
    throttle_reasons INTEGER,       -- bits of enum throttle_reason (tuner/description/state.h)
    compile_seconds  REAL,
    validate_seconds REAL,
    measure_seconds  REAL,
    measured_at      TEXT NOT NULL,
    origin           TEXT NOT NULL CHECK (origin IN ('measured', 'shipped')),
    UNIQUE (problem, configuration)
);
CREATE INDEX evaluation_time ON evaluation (problem, time_ns) WHERE outcome = 'ok';

-- In which order a run came to its evaluations, and which of them it took from an earlier run.
CREATE TABLE run_evaluation (
    run        INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    sequence   INTEGER NOT NULL, -- from 1
    evaluation INTEGER NOT NULL REFERENCES evaluation ON DELETE CASCADE,
    reused     INTEGER NOT NULL CHECK (reused IN (0, 1)),
    PRIMARY KEY (run, sequence),
    UNIQUE (run, evaluation)
) WITHOUT ROWID;
CREATE INDEX run_evaluation_evaluation ON run_evaluation (evaluation);

-- The compiled image of a problem's best evaluation.
CREATE TABLE image (
    problem    INTEGER PRIMARY KEY REFERENCES problem ON DELETE CASCADE,
    evaluation INTEGER NOT NULL UNIQUE REFERENCES evaluation ON DELETE CASCADE,
    bytes      INTEGER NOT NULL, -- before compression
    data       BLOB NOT NULL     -- zstd
);

-- Files of shipped knowledge that were loaded, by their content.
CREATE TABLE known_file (
    hash      TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    loaded_at TEXT NOT NULL
) WITHOUT ROWID;

-- The fastest valid evaluation of each problem.
CREATE VIEW fastest AS
SELECT problem.id AS problem, evaluation.id AS evaluation, evaluation.time_ns
FROM problem
JOIN evaluation ON evaluation.id = (
    SELECT candidate.id FROM evaluation AS candidate
    WHERE candidate.problem = problem.id AND candidate.outcome = 'ok' AND candidate.time_ns > 0
    ORDER BY candidate.time_ns, candidate.id LIMIT 1);

-- For people: the best configuration for each template, device and size, of the latest version that has any.
CREATE VIEW best AS
WITH ranked AS (
    SELECT fastest.problem, fastest.evaluation, fastest.time_ns * 1e-9 AS seconds,
           row_number() OVER (PARTITION BY template.name, problem.device, problem.size
                              ORDER BY template.used_at DESC, template.id DESC, fastest.time_ns) AS place
    FROM fastest
    JOIN problem ON problem.id = fastest.problem
    JOIN template ON template.id = problem.template)
SELECT template.name AS template,
       device.name AS device,
       problem.size AS size,
       evaluation.configuration AS configuration,
       round(seconds * 1e3, CASE WHEN seconds < 1e-3 THEN 6 ELSE 4 END) AS time_ms,
       round(problem.flops / seconds * 1e-9, 1) AS gflops,
       round(100 * nullif(max(coalesce(problem.flops / device.peak_flops, 0),
                              coalesce(problem.bytes / device.peak_bandwidth, 0)), 0) / seconds, 1) AS percent_of_peak,
       round(problem.bytes / seconds * 1e-9, 1) AS gbytes_per_second,
       evaluation.registers AS registers,
       evaluation.shared_bytes AS shared_bytes,
       evaluation.origin AS origin,
       substr(evaluation.measured_at, 1, 10) || ' ' || substr(evaluation.measured_at, 12, 8) AS measured_at,
       toolchain.driver AS driver,
       toolchain.compiler AS compiler,
       template.hash AS template_hash,
       device.id AS device_id,
       evaluation.id AS evaluation_id
FROM ranked
JOIN problem ON problem.id = ranked.problem
JOIN evaluation ON evaluation.id = ranked.evaluation
JOIN template ON template.id = problem.template
JOIN device ON device.id = problem.device
JOIN toolchain ON toolchain.id = problem.toolchain
WHERE ranked.place = 1
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size;

-- For people: what was run, newest first.
CREATE VIEW runs AS
SELECT run.id AS run,
       template.name AS template,
       space.name AS space,
       device.name AS device,
       problem.size AS size,
       run.status AS status,
       count(evaluation.id) AS evaluations,
       coalesce(sum(evaluation.outcome <> 'ok'), 0) AS failures,
       coalesce(sum(run_evaluation.reused), 0) AS reused,
       CAST(run.configurations AS INTEGER) AS configurations,
       round(min(CASE WHEN evaluation.outcome = 'ok' THEN evaluation.time_ns END) * 1e-6, 6) AS best_ms,
       run.strategy AS strategy,
       nullif(run.budget, '') AS budget,
       run.seed AS seed,
       substr(run.started_at, 1, 10) || ' ' || substr(run.started_at, 12, 8) AS started_at,
       round((julianday(run.ended_at) - julianday(run.started_at)) * 86400, 1) AS seconds,
       run.host AS host,
       run.tune_version AS tune_version,
       template.hash AS template_hash,
       space.hash AS space_hash
FROM run
JOIN problem ON problem.id = run.problem
JOIN template ON template.id = problem.template
JOIN device ON device.id = problem.device
JOIN space ON space.id = run.space
LEFT JOIN run_evaluation ON run_evaluation.run = run.id
LEFT JOIN evaluation ON evaluation.id = run_evaluation.evaluation
GROUP BY run.id
ORDER BY run.id DESC;
