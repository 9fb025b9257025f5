-- Orders to fire are taken in turns, by account and venue; each of these is found by one step in the index, however many orders it has.
CREATE INDEX conditional_orders_turns ON conditional_orders (account_id, venue, triggered_at, id) WHERE fire_mode = 'hosted' AND status IN ('triggered', 'firing');
DROP INDEX conditional_orders_firing;
