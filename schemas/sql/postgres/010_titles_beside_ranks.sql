-- A title's words beside the ranks, in the very index that is walked: a search for common words looks at the index alone, not at the title
-- of every row it passes. NULL where an entry of the index would be too long: then the row of catalog_titles is looked at.

ALTER TABLE catalog_markets ADD COLUMN title_words tsvector;
ALTER TABLE catalog_events ADD COLUMN title_words tsvector;
UPDATE catalog_markets r SET title_words = t.title FROM catalog_titles t
  WHERE t.kind = 'm' AND t.venue = r.venue AND t.id = r.id AND pg_column_size(t.title) + octet_length(r.id) <= 2000;
UPDATE catalog_events r SET title_words = t.title FROM catalog_titles t
  WHERE t.kind = 'e' AND t.venue = r.venue AND t.id = r.id AND pg_column_size(t.title) + octet_length(r.id) <= 2000;

DROP INDEX catalog_markets_volume, catalog_markets_liquidity, catalog_markets_newest;
CREATE INDEX catalog_markets_volume ON catalog_markets (venue, active, volume_rank, id) INCLUDE (title_words);
CREATE INDEX catalog_markets_liquidity ON catalog_markets (venue, active, liquidity_rank, id) INCLUDE (title_words);
CREATE INDEX catalog_markets_newest ON catalog_markets (venue, active, newest_rank, id) INCLUDE (title_words);
DROP INDEX catalog_events_volume, catalog_events_liquidity, catalog_events_newest;
CREATE INDEX catalog_events_volume ON catalog_events (venue, active, volume_rank, id) INCLUDE (title_words);
CREATE INDEX catalog_events_liquidity ON catalog_events (venue, active, liquidity_rank, id) INCLUDE (title_words);
CREATE INDEX catalog_events_newest ON catalog_events (venue, active, newest_rank, id) INCLUDE (title_words);
