-- Pages of one wallet, of one market and of rare scores come out of orders of their own: the indexes led to granules all over the table, two milliseconds
-- each.
-- A projection stands and falls with its part, so that no row is in one order alone.
ALTER TABLE trader_feed DROP INDEX IF EXISTS of_wallet;
ALTER TABLE trader_feed DROP INDEX IF EXISTS of_market;
ALTER TABLE trader_feed DROP INDEX IF EXISTS categories;
ALTER TABLE trader_feed ADD PROJECTION IF NOT EXISTS by_wallet (SELECT * ORDER BY wallet, ts, trade_id, venue, outcome_id);
ALTER TABLE trader_feed ADD PROJECTION IF NOT EXISTS by_market (SELECT * ORDER BY market_id, ts, trade_id, venue, outcome_id);
ALTER TABLE trader_feed ADD PROJECTION IF NOT EXISTS by_score (SELECT * ORDER BY trade_score, ts);
ALTER TABLE trader_feed MATERIALIZE PROJECTION by_wallet;
ALTER TABLE trader_feed MATERIALIZE PROJECTION by_market;
ALTER TABLE trader_feed MATERIALIZE PROJECTION by_score;
