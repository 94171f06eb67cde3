-- Version 4: no compiled images. An image is code; a database is data, and may come from anyone. Images are kept in the
-- user's own cache.

DROP TABLE image;
