-- A search finds words by their stem, by one wrong letter and, where nothing is found, by similarity. All of that is looked up among the
-- words of titles, which are few: titles themselves are then found by whole words, in their own index.
-- Rows also store every amount as its digits (100k, $100,000 and 100000 are one word): the program writes each row anew when its venue next
-- lists it.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

ALTER TABLE catalog_lexemes
  -- Of English; a word without one is its own.
  ADD COLUMN stem text COLLATE "C" GENERATED ALWAYS AS (coalesce((ts_lexize('pg_catalog.english_stem'::regdictionary, word))[1], word)) STORED;
CREATE INDEX catalog_lexemes_stem ON catalog_lexemes (stem);
CREATE INDEX catalog_lexemes_similar ON catalog_lexemes USING gist (word gist_trgm_ops);

-- Markets that are settled, for lists of them.
ALTER TABLE catalog_markets ADD COLUMN resolved boolean NOT NULL GENERATED ALWAYS AS (coalesce(doc->>'status' = 'resolved', false)) STORED;
CREATE INDEX catalog_markets_resolved ON catalog_markets (venue, id) WHERE resolved;
