-- Version 9: what finals decided is kept by objective. A row may lose by time and win by energy.

-- Finals measure evaluations again, so the latest ones by an objective count. Measuring the evaluation or the winner
-- anew takes it back.
CREATE TABLE verdict (
    evaluation INTEGER NOT NULL REFERENCES evaluation ON DELETE CASCADE,
    objective  TEXT NOT NULL,    -- time, energy, edp or one that the template defines
    winner     INTEGER NOT NULL REFERENCES evaluation ON DELETE CASCADE,
    result     TEXT NOT NULL     -- outside: a single measurement made it seem better, but it was in no finals
               CHECK (result IN ('winner', 'tied', 'lost', 'outside')),
    PRIMARY KEY (evaluation, objective)
) WITHOUT ROWID;
CREATE INDEX verdict_winner ON verdict (winner);

INSERT INTO verdict (evaluation, objective, winner, result)
SELECT id, lost_by, lost_to,
       coalesce((SELECT CASE WHEN final.tied THEN 'tied' ELSE 'lost' END FROM final JOIN run ON run.id = final.run
                 WHERE final.evaluation = loser.id AND coalesce(run.objective, 'time') = loser.lost_by
                 ORDER BY final.run DESC LIMIT 1), 'outside')
FROM evaluation AS loser
WHERE lost_to IS NOT NULL AND lost_by IS NOT NULL AND EXISTS (SELECT 1 FROM evaluation WHERE id = loser.lost_to);

-- Its time is that of the finals unless it has been measured again.
INSERT OR IGNORE INTO verdict (evaluation, objective, winner, result)
SELECT final.evaluation, coalesce(run.objective, 'time'), final.evaluation, 'winner'
FROM final
JOIN run ON run.id = final.run
JOIN evaluation ON evaluation.id = final.evaluation
WHERE final.place = 1 AND evaluation.time_ns = final.time_ns;

-- The columns lost_to and lost_by go, as in version 3.
PRAGMA legacy_alter_table = ON;
CREATE TABLE evaluation_9 (
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
    framework_seconds REAL,          -- what the other tool took for itself; of imported rows
    flops             REAL,          -- of this configuration; NULL: the problem's
    bytes             REAL,          -- likewise, and so on
    awkward           TEXT,          -- sizes validated besides the tuned ones: n=10007; '': none
    deadline_seconds  REAL,          -- of a timeout: the time allowed
    transient         INTEGER,       -- 1: the failure may not recur
    special_ops       REAL,          -- special functions: rsqrt, sin, cos, exp2, log2, reciprocal
    shared_traffic    REAL,          -- bytes from and to shared memory
    integer_ops       REAL,          -- 32-bit integer operations
    metrics           TEXT,          -- JSON: {"rate": 1.5e9}; null where one is undefined; NULL: not computed yet
    UNIQUE (problem, configuration)
);
INSERT INTO evaluation_9
SELECT id, problem, configuration, outcome, message, time_ns, time_low_ns, time_high_ns, samples_ns, error_ratio,
       registers, local_bytes, spill_bytes, shared_bytes, max_threads, occupancy, sm_clock_mhz, memory_clock_mhz,
       temperature_c, power_mw, throttle_reasons, compile_seconds, validate_seconds, measure_seconds, measured_at,
       origin, energy_j, energy_error_j, throttled, uuid, seed, framework_seconds, flops, bytes, awkward,
       deadline_seconds, transient, special_ops, shared_traffic, integer_ops, metrics
FROM evaluation;
DROP TABLE evaluation;
ALTER TABLE evaluation_9 RENAME TO evaluation;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX evaluation_time ON evaluation (problem, time_ns) WHERE outcome = 'ok';

-- As before, by what finals decided.
DROP VIEW fastest;
CREATE VIEW fastest AS
SELECT problem.id AS problem, evaluation.id AS evaluation, evaluation.time_ns
FROM problem
JOIN evaluation ON evaluation.id = (
    SELECT candidate.id FROM evaluation AS candidate
    WHERE candidate.problem = problem.id AND candidate.outcome = 'ok' AND candidate.time_ns > 0
      AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.evaluation = candidate.id AND verdict.objective = 'time'
                      AND verdict.result <> 'winner')
    ORDER BY candidate.time_ns, candidate.id LIMIT 1);

DROP VIEW best_by_energy;
CREATE VIEW best_by_energy AS
WITH ranked AS (
    SELECT evaluation.id AS evaluation,
           row_number() OVER (PARTITION BY template.name, problem.device, problem.size, problem.inputs
                              ORDER BY template.used_at DESC, template.id DESC, evaluation.energy_j, evaluation.id)
               AS place
    FROM evaluation
    JOIN problem ON problem.id = evaluation.problem
    JOIN template ON template.id = problem.template
    WHERE evaluation.outcome = 'ok' AND evaluation.time_ns > 0 AND evaluation.energy_j > 0
      AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.evaluation = evaluation.id AND verdict.objective = 'energy'
                      AND verdict.result <> 'winner'))
SELECT template.name AS template,
       device.name AS device,
       problem.size AS size,
       problem.input_files AS data,
       evaluation.configuration AS configuration,
       evaluation.energy_j * 1e3 AS energy_mj,
       evaluation.energy_error_j * 1e3 AS energy_error_mj,
       round(coalesce(evaluation.flops, problem.flops) / evaluation.energy_j * 1e-9, 2) AS gflops_per_watt,
       round(evaluation.energy_j / evaluation.time_ns * 1e9, 1) AS watts,
       round(evaluation.time_ns * 1e-6, CASE WHEN evaluation.time_ns < 1e6 THEN 6 ELSE 4 END) AS time_ms,
       round(coalesce(evaluation.flops, problem.flops) / evaluation.time_ns, 1) AS gflops,
       toolchain.driver AS driver,
       toolchain.compiler AS compiler,
       template.hash AS template_hash,
       device.id AS device_id,
       evaluation.id AS evaluation_id
FROM ranked
JOIN evaluation ON evaluation.id = ranked.evaluation
JOIN problem ON problem.id = evaluation.problem
JOIN template ON template.id = problem.template
JOIN device ON device.id = problem.device
JOIN toolchain ON toolchain.id = problem.toolchain
WHERE ranked.place = 1
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size, problem.inputs;

DROP VIEW best_by_objective;
CREATE VIEW best_by_objective AS
WITH ranked AS (
    SELECT metrics.*,
           row_number() OVER (PARTITION BY template.name, metrics.device_id, metrics.size, problem.inputs, metrics.metric
                              ORDER BY template.used_at DESC, template.id DESC,
                                       CASE metrics.sense WHEN 'maximize' THEN -metrics.value ELSE metrics.value END,
                                       metrics.evaluation_id) AS place
    FROM metrics
    JOIN evaluation ON evaluation.id = metrics.evaluation_id
    JOIN problem ON problem.id = evaluation.problem
    JOIN template ON template.id = problem.template
    WHERE metrics.sense IS NOT NULL AND metrics.value > 0
      AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.evaluation = evaluation.id AND verdict.objective = metrics.metric
                      AND verdict.result <> 'winner'))
SELECT template, device, size, data, metric AS objective, sense, value, configuration, time_ms, template_hash, device_id,
       evaluation_id
FROM ranked
WHERE place = 1
ORDER BY template, device, device_id, objective, size, data;
