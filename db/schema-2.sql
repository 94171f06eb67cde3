-- Version 2: energy, what an evaluation was measured on, finals, and runs whose program was killed.

ALTER TABLE evaluation ADD COLUMN energy_j REAL;       -- of one run of the launches
ALTER TABLE evaluation ADD COLUMN energy_error_j REAL; -- half the width of its 95 % interval
ALTER TABLE evaluation ADD COLUMN throttled INTEGER;   -- samples taken while the device was throttled, and repeated
ALTER TABLE evaluation ADD COLUMN uuid TEXT;           -- of the very device that measured it
ALTER TABLE evaluation ADD COLUMN seed TEXT;           -- of the inputs it was validated on; decimal, 64 bits

-- The winner of the finals that it lost or tied, and by which objective. It is not best while this stands; measuring
-- it or the winner anew takes it back.
ALTER TABLE evaluation ADD COLUMN lost_to INTEGER REFERENCES evaluation ON DELETE SET NULL;
ALTER TABLE evaluation ADD COLUMN lost_by TEXT;
CREATE INDEX evaluation_lost_to ON evaluation (lost_to) WHERE lost_to IS NOT NULL;

-- Which process carries a run out, so that it can be seen whether it still lives: pid:start:namespace:boot.
ALTER TABLE run ADD COLUMN process TEXT;
-- Of older runs it cannot be told. One that lives nevertheless sets its status when it ends.
UPDATE run SET status = 'interrupted' WHERE status = 'running';

-- The finals of a run: its best candidates, measured again in turns.
CREATE TABLE final (
    run          INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    place        INTEGER NOT NULL, -- from 1, the winner
    evaluation   INTEGER NOT NULL REFERENCES evaluation ON DELETE CASCADE,
    tied         INTEGER NOT NULL CHECK (tied IN (0, 1)), -- with the winner
    time_ns      REAL NOT NULL,    -- median of the rounds
    time_low_ns  REAL,             -- its 95 % confidence interval
    time_high_ns REAL,
    ratio        REAL,             -- of its time to the winner's, round by round: median
    ratio_low    REAL,             -- its 95 % confidence interval
    ratio_high   REAL,
    rounds_ns    TEXT NOT NULL,    -- JSON array: the median time of each round
    PRIMARY KEY (run, place),
    UNIQUE (run, evaluation)
) WITHOUT ROWID;
CREATE INDEX final_evaluation ON final (evaluation);

-- As before, without those that lost finals.
DROP VIEW fastest;
CREATE VIEW fastest AS
SELECT problem.id AS problem, evaluation.id AS evaluation, evaluation.time_ns
FROM problem
JOIN evaluation ON evaluation.id = (
    SELECT candidate.id FROM evaluation AS candidate
    WHERE candidate.problem = problem.id AND candidate.outcome = 'ok' AND candidate.time_ns > 0
      AND (candidate.lost_to IS NULL OR candidate.lost_by <> 'time')
    ORDER BY candidate.time_ns, candidate.id LIMIT 1);

-- For people: as `best`, by the least energy of a run, which is also the most operations a joule.
CREATE VIEW best_by_energy AS
WITH ranked AS (
    SELECT evaluation.id AS evaluation,
           row_number() OVER (PARTITION BY template.name, problem.device, problem.size
                              ORDER BY template.used_at DESC, template.id DESC, evaluation.energy_j, evaluation.id)
               AS place
    FROM evaluation
    JOIN problem ON problem.id = evaluation.problem
    JOIN template ON template.id = problem.template
    WHERE evaluation.outcome = 'ok' AND evaluation.time_ns > 0 AND evaluation.energy_j > 0
      AND (evaluation.lost_to IS NULL OR evaluation.lost_by <> 'energy'))
SELECT template.name AS template,
       device.name AS device,
       problem.size AS size,
       evaluation.configuration AS configuration,
       evaluation.energy_j * 1e3 AS energy_mj,
       evaluation.energy_error_j * 1e3 AS energy_error_mj,
       round(problem.flops / evaluation.energy_j * 1e-9, 2) AS gflops_per_watt,
       round(evaluation.energy_j / evaluation.time_ns * 1e9, 1) AS watts,
       round(evaluation.time_ns * 1e-6, CASE WHEN evaluation.time_ns < 1e6 THEN 6 ELSE 4 END) AS time_ms,
       round(problem.flops / evaluation.time_ns, 1) AS gflops,
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
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size;

-- For people: who met in the finals of each run, newest run first.
CREATE VIEW finals AS
SELECT final.run AS run,
       template.name AS template,
       device.name AS device,
       problem.size AS size,
       final.place AS place,
       CASE WHEN final.place = 1 THEN 'winner' WHEN final.tied THEN 'tied' ELSE 'lost' END AS result,
       evaluation.configuration AS configuration,
       round(final.time_ns * 1e-6, 6) AS time_ms,
       round(final.time_low_ns * 1e-6, 6) AS low_ms,
       round(final.time_high_ns * 1e-6, 6) AS high_ms,
       round(final.ratio, 4) AS ratio,
       round(final.ratio_low, 4) AS ratio_low,
       round(final.ratio_high, 4) AS ratio_high,
       run.objective AS objective,
       evaluation.id AS evaluation_id
FROM final
JOIN run ON run.id = final.run
JOIN problem ON problem.id = run.problem
JOIN template ON template.id = problem.template
JOIN device ON device.id = problem.device
JOIN evaluation ON evaluation.id = final.evaluation
ORDER BY final.run DESC, final.place;

-- As before; the best time is the winner's where there were finals.
DROP VIEW runs;
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
       round(coalesce((SELECT time_ns FROM final WHERE final.run = run.id AND final.place = 1),
                      min(CASE WHEN evaluation.outcome = 'ok' THEN evaluation.time_ns END)) * 1e-6, 6) AS best_ms,
       run.strategy AS strategy,
       run.objective AS objective,
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
