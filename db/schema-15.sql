-- Version 15: limits on results, which are a sweep's question and no part of a result.
ALTER TABLE run ADD COLUMN limits TEXT; -- a condition on results, "registers <= 64"; NULL: none
