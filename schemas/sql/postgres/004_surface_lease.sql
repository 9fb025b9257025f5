-- Who numbers the frames of the arbitrage surface: at most one row.
CREATE TABLE surface_lease (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder text NOT NULL,
  -- Rises whenever the holder changes.
  term bigint NOT NULL,
  -- Numbers up to here are given or set aside.
  seq_to bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
