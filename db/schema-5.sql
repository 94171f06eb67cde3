-- Version 5.

-- ---- What an evaluation really was: its own work, where it was validated, and how long it was given.

ALTER TABLE evaluation ADD COLUMN flops REAL;            -- of this configuration; NULL: the problem's
ALTER TABLE evaluation ADD COLUMN bytes REAL;            -- likewise
ALTER TABLE evaluation ADD COLUMN awkward TEXT;          -- sizes validated besides the tuned ones: n=10007; '': none
ALTER TABLE evaluation ADD COLUMN deadline_seconds REAL; -- of a timeout: the time allowed

-- As before, with the evaluation's own work.
DROP VIEW best;
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
       round(coalesce(evaluation.flops, problem.flops) / seconds * 1e-9, 1) AS gflops,
       round(100 * nullif(max(coalesce(coalesce(evaluation.flops, problem.flops) / device.peak_flops, 0),
                              coalesce(coalesce(evaluation.bytes, problem.bytes) / device.peak_bandwidth, 0)), 0)
             / seconds, 1) AS percent_of_peak,
       round(coalesce(evaluation.bytes, problem.bytes) / seconds * 1e-9, 1) AS gbytes_per_second,
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

DROP VIEW best_by_energy;
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
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size;

-- ---- Runs: the last sign of life.

-- Set at the start, and about once a minute; a row is another sign. Older runs have only their rows. Statuses are also
-- killed (the process is gone) and lost (no sign of life for long, and the process cannot be seen from where it was
-- found so).
ALTER TABLE run ADD COLUMN alive_at TEXT;

-- ---- Failures that may not recur.

-- Failures whose cause may lie outside the configuration (a killed compiler, a machine short of processes or memory)
-- are marked. The next sweep measures such a configuration again.
ALTER TABLE evaluation ADD COLUMN transient INTEGER; -- 1: the failure may not recur

-- Older rows were not marked. Those that could be such failures are measured again, once.
UPDATE evaluation SET transient = 1
WHERE origin = 'measured'
  AND (outcome IN ('compile_crash', 'crash', 'memory')
       OR outcome = 'compile_error'
          AND (message LIKE '%Resource temporarily unavailable%' OR message LIKE '%Cannot allocate memory%'
               OR message LIKE '%Too many open files%' OR message LIKE '%No space left on device%'
               OR message LIKE '%Killed%' OR message LIKE '%Terminated%' OR message LIKE '%out of memory%'
               OR message LIKE '%error while loading shared libraries%'));
