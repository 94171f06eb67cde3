-- Version 6: the work of every pipe that may bind, and the rates that devices reach at best.

-- What a launch must do at least, as `flops` and `bytes` are. tuner/evaluation/work.h lists the figures.
ALTER TABLE evaluation ADD COLUMN special_ops REAL;    -- special functions: rsqrt, sin, cos, exp2, log2, reciprocal
ALTER TABLE evaluation ADD COLUMN shared_traffic REAL; -- bytes from and to shared memory
ALTER TABLE evaluation ADD COLUMN integer_ops REAL;    -- 32-bit integer operations
ALTER TABLE problem ADD COLUMN special_ops REAL;
ALTER TABLE problem ADD COLUMN shared_traffic REAL;
ALTER TABLE problem ADD COLUMN integer_ops REAL;

-- By data sheets, per second.
ALTER TABLE device ADD COLUMN peak_special REAL;
ALTER TABLE device ADD COLUMN peak_shared REAL;
ALTER TABLE device ADD COLUMN peak_integer REAL;

-- For people: what each device can do at best of each figure of work. The template `ceilings` consists of probes: the
-- best rate that a valid evaluation of its latest version reached counts. Else the data sheet has to do.
CREATE VIEW ceilings AS
WITH figure (place, name, pipe, unit) AS (
    VALUES (1, 'flops', 'fp32', 'FLOP'),
           (2, 'bytes', 'memory', 'B'),
           (3, 'special_ops', 'special-function', 'op'),
           (4, 'shared_traffic', 'shared-memory', 'B'),
           (5, 'integer_ops', 'integer', 'op')),
probe AS (
    SELECT problem.device, figure.name, evaluation.id AS evaluation, template.used_at, template.id AS template,
           CASE figure.name WHEN 'flops' THEN evaluation.flops
                            WHEN 'bytes' THEN evaluation.bytes
                            WHEN 'special_ops' THEN evaluation.special_ops
                            WHEN 'shared_traffic' THEN evaluation.shared_traffic
                            WHEN 'integer_ops' THEN evaluation.integer_ops END / evaluation.time_ns * 1e9 AS rate
    FROM template
    JOIN problem ON problem.template = template.id
    JOIN evaluation ON evaluation.problem = problem.id
    CROSS JOIN figure
    WHERE template.name = 'ceilings' AND evaluation.outcome = 'ok' AND evaluation.time_ns > 0),
ranked AS (
    SELECT device, name, evaluation, rate,
           row_number() OVER (PARTITION BY device, name
                              ORDER BY used_at DESC, template DESC, rate DESC, evaluation) AS place
    FROM probe
    WHERE rate > 0),
sheet AS (
    SELECT device.id AS device, figure.name,
           CASE figure.name WHEN 'flops' THEN device.peak_flops
                            WHEN 'bytes' THEN device.peak_bandwidth
                            WHEN 'special_ops' THEN device.peak_special
                            WHEN 'shared_traffic' THEN device.peak_shared
                            WHEN 'integer_ops' THEN device.peak_integer END AS rate
    FROM device
    CROSS JOIN figure)
SELECT device.name AS device,
       figure.name AS figure,
       figure.pipe AS limit_name,
       coalesce(ranked.rate, sheet.rate) AS rate,
       figure.unit || '/s' AS unit,
       CASE WHEN ranked.rate IS NULL THEN 'data sheet' ELSE 'measured' END AS source,
       sheet.rate AS data_sheet_rate,
       evaluation.configuration AS probe,
       evaluation.origin AS origin,
       substr(evaluation.measured_at, 1, 10) || ' ' || substr(evaluation.measured_at, 12, 8) AS measured_at,
       toolchain.driver AS driver,
       toolchain.compiler AS compiler,
       device.id AS device_id,
       evaluation.id AS evaluation_id
FROM sheet
JOIN device ON device.id = sheet.device
JOIN figure ON figure.name = sheet.name
LEFT JOIN ranked ON ranked.device = sheet.device AND ranked.name = sheet.name AND ranked.place = 1
LEFT JOIN evaluation ON evaluation.id = ranked.evaluation
LEFT JOIN problem ON problem.id = evaluation.problem
LEFT JOIN toolchain ON toolchain.id = problem.toolchain
WHERE coalesce(ranked.rate, sheet.rate) > 0
ORDER BY device.name, device.id, figure.place;

-- As before, without the probes; the percentage is that of the limit that binds: the least time that the ceilings allow, over the time.
DROP VIEW best;
CREATE VIEW best AS
WITH ranked AS (
    SELECT fastest.problem, fastest.evaluation, fastest.time_ns * 1e-9 AS seconds,
           row_number() OVER (PARTITION BY template.name, problem.device, problem.size
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
ORDER BY template.name, device.name, device.id, problem.flops, problem.bytes, problem.size;
