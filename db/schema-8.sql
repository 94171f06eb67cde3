-- Version 8: data of the user's own; metrics and objectives that templates define.

-- ---- Data of the user's own: results for other data are results of another problem.

PRAGMA legacy_alter_table = ON;
CREATE TABLE problem_8 (
    id             INTEGER PRIMARY KEY,
    template       INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
    device         INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
    toolchain      INTEGER NOT NULL REFERENCES toolchain ON DELETE CASCADE,
    size           TEXT NOT NULL,            -- M=4096,N=4096,K=4096
    flops          REAL,
    bytes          REAL,
    special_ops    REAL,
    shared_traffic REAL,
    integer_ops    REAL,
    inputs         TEXT NOT NULL DEFAULT '', -- what data files hold: x=0123456789abcdef,ref(y)=...; '': there are none
    input_files    TEXT,                     -- which they were when last used: x = x.npy (0123456789abcdef), ...
    UNIQUE (template, device, toolchain, size, inputs)
);
INSERT INTO problem_8 (id, template, device, toolchain, size, flops, bytes, special_ops, shared_traffic, integer_ops)
SELECT id, template, device, toolchain, size, flops, bytes, special_ops, shared_traffic, integer_ops FROM problem;
DROP TABLE problem;
ALTER TABLE problem_8 RENAME TO problem;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX problem_device ON problem (device);
CREATE INDEX problem_toolchain ON problem (toolchain);

-- As before, with a row for each data.
DROP VIEW best;
CREATE VIEW best AS
WITH ranked AS (
    SELECT fastest.problem, fastest.evaluation, fastest.time_ns * 1e-9 AS seconds,
           row_number() OVER (PARTITION BY template.name, problem.device, problem.size, problem.inputs
                              ORDER BY template.used_at DESC, template.id DESC, fastest.time_ns) AS place
    FROM fastest
    JOIN problem ON problem.id = fastest.problem
    JOIN template ON template.id = problem.template
    WHERE template.name <> 'ceilings'),
ceiling AS (
    SELECT device_id, figure, limit_name, source, rate FROM ceilings),
bound AS (
    SELECT ranked.evaluation, ceiling.limit_name, ceiling.source,
           CASE ceiling.figure WHEN 'flops' THEN coalesce(evaluation.flops, problem.flops)
                               WHEN 'bytes' THEN coalesce(evaluation.bytes, problem.bytes)
                               WHEN 'special_ops' THEN coalesce(evaluation.special_ops, problem.special_ops)
                               WHEN 'shared_traffic' THEN coalesce(evaluation.shared_traffic, problem.shared_traffic)
                               WHEN 'integer_ops' THEN coalesce(evaluation.integer_ops, problem.integer_ops)
           END / ceiling.rate AS seconds
    FROM ranked
    JOIN problem ON problem.id = ranked.problem
    JOIN evaluation ON evaluation.id = ranked.evaluation
    JOIN ceiling ON ceiling.device_id = problem.device
    WHERE ranked.place = 1),
binding AS (
    SELECT evaluation, limit_name, source, seconds,
           row_number() OVER (PARTITION BY evaluation ORDER BY seconds DESC, limit_name) AS place
    FROM bound
    WHERE seconds > 0)
SELECT template.name AS template,
       device.name AS device,
       problem.size AS size,
       problem.input_files AS data,
       evaluation.configuration AS configuration,
       round(ranked.seconds * 1e3, CASE WHEN ranked.seconds < 1e-3 THEN 6 ELSE 4 END) AS time_ms,
       round(coalesce(evaluation.flops, problem.flops) / ranked.seconds * 1e-9, 1) AS gflops,
       round(100 * binding.seconds / ranked.seconds, 1) AS percent_of_peak,
       binding.limit_name AS limit_name,
       binding.source AS limit_source,
       round(coalesce(evaluation.bytes, problem.bytes) / ranked.seconds * 1e-9, 1) AS gbytes_per_second,
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
LEFT JOIN binding ON binding.evaluation = ranked.evaluation AND binding.place = 1
WHERE ranked.place = 1
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size, problem.inputs;

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
      AND (evaluation.lost_to IS NULL OR evaluation.lost_by <> 'energy'))
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

-- ---- Metrics and objectives.

-- What the template's text said last; it is no part of the hash.
ALTER TABLE template ADD COLUMN metrics TEXT;   -- JSON: {"rate": {"text": "bytes / time", "sense": "maximize"}}; NULL: none
ALTER TABLE template ADD COLUMN objective TEXT; -- by which results are best unless told otherwise; NULL: time

-- Their values, computed by that text of what the row holds: {"rate": 1.5e9}; null where one is undefined. NULL: not computed yet.
ALTER TABLE evaluation ADD COLUMN metrics TEXT;

-- For people: each value of each valid evaluation.
CREATE VIEW metrics AS
SELECT template.name AS template,
       device.name AS device,
       problem.size AS size,
       problem.input_files AS data,
       evaluation.configuration AS configuration,
       metric.key AS metric,
       metric.value AS value,
       (SELECT json_extract(definition.value, '$.sense')
        FROM json_each(CASE WHEN json_valid(template.metrics) THEN template.metrics ELSE '{}' END) AS definition
        WHERE definition.key = metric.key) AS sense,
       round(evaluation.time_ns * 1e-6, 6) AS time_ms,
       template.hash AS template_hash,
       device.id AS device_id,
       evaluation.id AS evaluation_id
FROM evaluation
JOIN problem ON problem.id = evaluation.problem
JOIN template ON template.id = problem.template
JOIN device ON device.id = problem.device
JOIN json_each(CASE WHEN json_valid(evaluation.metrics) THEN evaluation.metrics ELSE '{}' END) AS metric
WHERE evaluation.outcome = 'ok' AND evaluation.time_ns > 0 AND metric.type IN ('integer', 'real', 'null');

-- For people: as `best`, by each objective that the template defines.
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
      AND (evaluation.lost_to IS NULL OR evaluation.lost_by <> metrics.metric))
SELECT template, device, size, data, metric AS objective, sense, value, configuration, time_ms, template_hash, device_id,
       evaluation_id
FROM ranked
WHERE place = 1
ORDER BY template, device, device_id, objective, size, data;
