-- Plans that were kept: orders over several venues that belong together, and the executions that were built from them.

CREATE TABLE router_groups (
  id          uuid PRIMARY KEY,
  seq         bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id  uuid NOT NULL REFERENCES accounts (id),
  key_id      uuid NOT NULL,
  -- The caller's idempotency key and the hash of its request.
  key         text NOT NULL CHECK (length(key) > 0),
  body_sha256 bytea NOT NULL CHECK (length(body_sha256) = 32),
  kind        text NOT NULL CHECK (kind IN ('route', 'arbitrage', 'structure')),
  -- The group that this one closes.
  closes_id   uuid REFERENCES router_groups (id),
  -- The request, the expected result, what each venue alone would cost, and what was left out, as returned.
  plan        jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  UNIQUE (account_id, key)
);
CREATE INDEX router_groups_page ON router_groups (account_id, seq DESC);
CREATE INDEX router_groups_closing ON router_groups (closes_id) WHERE closes_id IS NOT NULL;
CREATE TRIGGER router_groups_append_only BEFORE UPDATE OR DELETE ON router_groups
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE router_legs (
  group_id     uuid NOT NULL REFERENCES router_groups (id),
  position     smallint NOT NULL CHECK (position >= 0),
  -- Legs of one component are to be filled equally.
  component    smallint NOT NULL CHECK (component >= 0),
  venue        text NOT NULL,
  market_id    text NOT NULL,
  outcome_id   text NOT NULL,
  outcome_side text NOT NULL CHECK (outcome_side IN ('YES', 'NO')),
  is_buy       boolean NOT NULL,
  -- Contracts, and the limit in probability dollars.
  size         numeric NOT NULL CHECK (size > 0),
  price        numeric NOT NULL CHECK (price > 0 AND price < 1),
  -- As planned: expected costs and the age of the book.
  expected     jsonb NOT NULL,
  -- The body of its build; never a credential.
  build        jsonb NOT NULL,
  -- The leg of the closed group that this one completes or undoes.
  closes_position smallint,
  execution_id uuid UNIQUE REFERENCES executions (id),
  -- Why it was not built, as the item of a batch states it.
  error        jsonb,
  PRIMARY KEY (group_id, position)
);
