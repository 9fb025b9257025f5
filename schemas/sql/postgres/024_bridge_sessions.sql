-- Which account made which session at the bridge's provider: nobody else is shown it, or says that it was paid. What the session is, its provider
-- alone knows.

CREATE TABLE bridge_sessions (
  provider   text NOT NULL,
  -- The provider's.
  session_id text NOT NULL CHECK (length(session_id) BETWEEN 1 AND 128),
  account_id uuid NOT NULL REFERENCES accounts (id),
  to_venue   text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider, session_id)
);
