-- Paper accounts: their orders are matched here against live books, and no request of theirs reaches a venue.

CREATE TABLE paper_accounts (
  account_id      uuid PRIMARY KEY REFERENCES accounts (id),
  live_account_id uuid NOT NULL UNIQUE REFERENCES accounts (id),
  resets          integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- Every process recognises a paper account by its id: the version of the UUID is 8.
  CHECK (substr(account_id::text, 15, 1) = '8' AND substr(live_account_id::text, 15, 1) <> '8')
);

CREATE TABLE paper_balances (
  account_id uuid NOT NULL REFERENCES paper_accounts (account_id),
  venue      text NOT NULL,
  -- Symbol; empty: the catalog does not name it.
  currency   text NOT NULL,
  cash       numeric NOT NULL,
  -- The part of it that working orders hold.
  reserved   numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, venue, currency),
  CONSTRAINT paper_cash CHECK (reserved >= 0 AND cash >= reserved)
);

CREATE TABLE paper_positions (
  account_id uuid NOT NULL REFERENCES paper_accounts (account_id),
  venue      text NOT NULL,
  market_id  text NOT NULL,
  outcome_id text NOT NULL,
  currency   text NOT NULL,
  quantity   numeric NOT NULL,
  -- The part of it that working sales hold.
  reserved   numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, venue, market_id, outcome_id),
  CONSTRAINT paper_position CHECK (reserved >= 0 AND quantity >= reserved)
);
CREATE INDEX paper_positions_held ON paper_positions (venue, market_id) WHERE quantity > 0;

CREATE TABLE paper_orders (
  execution_id        uuid PRIMARY KEY REFERENCES executions (id),
  seq                 bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id          uuid NOT NULL REFERENCES paper_accounts (account_id),
  key_id              uuid NOT NULL,
  venue               text NOT NULL,
  -- The order id in the form of its venue.
  ref                 text NOT NULL,
  market_id           text NOT NULL,
  outcome_id          text NOT NULL,
  currency            text NOT NULL,
  book_id             text NOT NULL,
  -- The outcome is one minus that book.
  complement          boolean NOT NULL,
  is_buy              boolean NOT NULL,
  price               numeric NOT NULL CHECK (price >= 0 AND price <= 1),
  size                numeric NOT NULL CHECK (size > 0),
  time_in_force       text NOT NULL CHECK (time_in_force IN ('GTC', 'GTD', 'FOK', 'IOC')),
  post_only           boolean NOT NULL,
  expires_at          timestamptz,
  -- Rises with every modification.
  version             integer NOT NULL DEFAULT 1,
  state               text NOT NULL DEFAULT 'working' CHECK (state IN ('working', 'filled', 'canceled', 'expired', 'rejected')),
  filled              numeric NOT NULL DEFAULT 0 CHECK (filled >= 0 AND filled <= size),
  fills               integer NOT NULL DEFAULT 0,
  fee_model           jsonb NOT NULL,
  -- Sum of its fees before rounding.
  fee_exact           numeric NOT NULL DEFAULT 0,
  fee                 numeric NOT NULL DEFAULT 0,
  -- Cash of a purchase, contracts of a sale.
  reserved            numeric NOT NULL CHECK (reserved >= 0),
  -- Contracts ahead of it when it began to rest; null: it did not rest yet.
  queue_ahead         numeric,
  cancel_requested_at timestamptz,
  -- Executions that canceled or modified it.
  changed_by          uuid[] NOT NULL DEFAULT '{}',
  reason              text,
  placed_at           timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  UNIQUE (account_id, venue, ref),
  CHECK (state = 'working' OR reserved = 0)
);
CREATE INDEX paper_orders_working ON paper_orders (seq) WHERE state = 'working';
CREATE INDEX paper_orders_account ON paper_orders (account_id, seq DESC);

CREATE TABLE paper_fills (
  id           bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  execution_id uuid NOT NULL REFERENCES paper_orders (execution_id),
  -- Counts the fills of its order from 1: a fill that was recorded is not recorded again.
  number       integer NOT NULL,
  account_id   uuid NOT NULL,
  venue        text NOT NULL,
  market_id    text NOT NULL,
  outcome_id   text NOT NULL,
  currency     text NOT NULL,
  is_buy       boolean NOT NULL,
  price        numeric NOT NULL,
  size         numeric NOT NULL CHECK (size > 0),
  cash         numeric NOT NULL,
  fee          numeric NOT NULL,
  liquidity    text NOT NULL CHECK (liquidity IN ('taker', 'maker')),
  -- The book's sequence and the trades it follows from.
  evidence     jsonb NOT NULL,
  filled_at    timestamptz NOT NULL,
  PRIMARY KEY (execution_id, number)
);
CREATE INDEX paper_fills_account ON paper_fills (account_id, id);
CREATE TRIGGER paper_fills_append_only BEFORE UPDATE OR DELETE ON paper_fills
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Payouts of resolved markets.
CREATE TABLE paper_settlements (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   uuid NOT NULL REFERENCES paper_accounts (account_id),
  venue        text NOT NULL,
  market_id    text NOT NULL,
  outcome_id   text NOT NULL,
  currency     text NOT NULL,
  quantity     numeric NOT NULL,
  value        numeric NOT NULL,
  cash         numeric NOT NULL,
  -- The redemption; null where the venue pays without one.
  execution_id uuid REFERENCES executions (id),
  settled_at   timestamptz NOT NULL
);
CREATE INDEX paper_settlements_account ON paper_settlements (account_id, id);
CREATE INDEX paper_settlements_execution ON paper_settlements (execution_id) WHERE execution_id IS NOT NULL;
CREATE TRIGGER paper_settlements_append_only BEFORE UPDATE OR DELETE ON paper_settlements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Which process runs the paper exchange: at most one row.
CREATE TABLE paper_exchange_lease (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder     text NOT NULL,
  -- Rises whenever the holder changes.
  term       bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
