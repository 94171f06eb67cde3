-- Version 16: what sweeps try first.
ALTER TABLE run ADD COLUMN default_configuration TEXT; -- the space's default, as in evaluation; NULL: none, or not known
