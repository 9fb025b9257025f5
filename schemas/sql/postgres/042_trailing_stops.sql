-- Best price of each trailing stop since it was armed, as last saved by a process that evaluates it. A table of its own: saving a price locks no
-- order.
CREATE TABLE conditional_trails (
  conditional_id uuid PRIMARY KEY REFERENCES conditional_orders (id) DEFERRABLE INITIALLY DEFERRED,
  -- True: its level is below the best price, which is the highest. False: above the lowest.
  is_highest     boolean NOT NULL,
  -- Half millionths, of the order's own outcome. Null: none was seen.
  best           integer CHECK (best BETWEEN 0 AND 2000000),
  saved_at       timestamptz
);
