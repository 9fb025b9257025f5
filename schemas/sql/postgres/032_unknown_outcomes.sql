-- What the owner of an order with an unknown outcome is shown, and whether its owner was notified.

ALTER TABLE executions
  -- While `submitted`: what the venue answered to the submit, in words that are safe to show. Null: not answered yet, or the outcome is known.
  ADD COLUMN unknown_outcome text;

ALTER TABLE conditional_orders
  -- The last attempt whose unknown outcome was reported to the owner by webhook; 0: none was.
  ADD COLUMN reported_attempt integer NOT NULL DEFAULT 0;
