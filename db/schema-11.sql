-- Version 11: an index for each query of the program, so that what it asks takes as long as the answer is, not as the
-- database is large.

-- The best by energy, and by energy times time; by time there is evaluation_time.
CREATE INDEX evaluation_energy ON evaluation (problem, energy_j) WHERE outcome = 'ok' AND energy_j > 0;
CREATE INDEX evaluation_edp ON evaluation (problem, energy_j * time_ns) WHERE outcome = 'ok' AND energy_j > 0;

-- How many rows of each outcome, and how old they are.
CREATE INDEX evaluation_outcome ON evaluation (problem, outcome, measured_at);

-- Valid rows whose metrics are to be computed.
CREATE INDEX evaluation_unjudged ON evaluation (problem, outcome) WHERE outcome = 'ok' AND metrics IS NULL;

-- Whether there are shipped rows.
CREATE INDEX evaluation_shipped ON evaluation (origin) WHERE origin = 'shipped';

-- Runs that may have died.
CREATE INDEX run_status ON run (status);

-- As before, beginning with the probes: in whatever order SQLite would like to take the tables, these are few.
DROP VIEW ceilings;
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
    CROSS JOIN problem ON problem.template = template.id
    CROSS JOIN evaluation ON evaluation.problem = problem.id
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
