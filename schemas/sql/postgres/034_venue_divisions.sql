-- Into how many parts the markets of a venue are divided now. A lease of a part is named `<venue>#<index>/<count>`, and is only granted while its
-- division is in force: two divisions of one venue never run at the same time.
CREATE TABLE venue_divisions (
  venue text PRIMARY KEY,
  parts integer NOT NULL,
  -- At least every epoch of the venue's leases when it was last renewed.
  epoch bigint NOT NULL,
  -- Later than that of each of its leases.
  expires_at timestamptz NOT NULL
);

INSERT INTO venue_divisions (venue, parts, epoch, expires_at)
SELECT venue, 1, epoch, expires_at FROM venue_leases;
