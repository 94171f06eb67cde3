-- Version 7.

-- What the template says of its parameters and their values; NULL in rows of older versions until it is used again.
ALTER TABLE template ADD COLUMN descriptions TEXT; -- JSON: [{"name": "VARIANT", "meaning": "...", "values": [...]}]
