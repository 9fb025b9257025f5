-- An order whose outcome nobody can tell may be settled by its owner, under a key of its own.

ALTER TABLE execution_keys DROP CONSTRAINT execution_keys_kind_check;
ALTER TABLE execution_keys ADD CONSTRAINT execution_keys_kind_check
  CHECK (kind IN ('build', 'cancel', 'modify', 'submit', 'resolve'));
