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
