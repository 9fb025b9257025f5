-- What an account has waiting, however much it ever armed: told first to whoever subscribes to its orders.
CREATE INDEX conditional_orders_waiting ON conditional_orders (account_id, seq DESC) WHERE status IN ('armed', 'triggered', 'firing');
