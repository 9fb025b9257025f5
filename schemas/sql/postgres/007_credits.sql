-- Credits: what an account may still ask, where it came from and where it went.
--
--   plan, operator ──entry──► balance ──set aside──► lease of a process ──spent in memory──► settled: entry and usage
--
-- What a lease holds is still in the balance: a lease that nobody settles any more is dropped, and nothing was lost.

CREATE TABLE credit_accounts (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  -- The sum of the account's ledger, always.
  balance    bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  -- The sum of its leases, always.
  held       bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  -- First day of the last month whose included credits were given, and how many they were.
  included_month   date,
  included_credits bigint NOT NULL DEFAULT 0,
  CONSTRAINT credits_held_are_there CHECK (held <= balance)
);

-- Every change of a balance, never changed itself.
CREATE TABLE credit_ledger (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  -- included: by a plan, for a month. grant: by an operator. usage: what one process counted since it last settled.
  kind       text NOT NULL CHECK (kind IN ('included', 'grant', 'usage')),
  credits    bigint NOT NULL CHECK (credits <> 0 AND (kind <> 'usage' OR credits < 0) AND (kind <> 'included' OR credits > 0)),
  -- After this entry.
  balance    bigint NOT NULL CHECK (balance >= 0),
  -- Of included: the month's first day, and the plan.
  month      date,
  plan       text,
  -- Of grant.
  reason     text CHECK (length(reason) BETWEEN 1 AND 1000),
  said_by    text CHECK (length(said_by) BETWEEN 1 AND 200),
  -- Of usage: the process.
  holder_id  uuid,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'included') = (month IS NOT NULL AND plan IS NOT NULL)),
  CHECK ((kind = 'grant') = (reason IS NOT NULL AND said_by IS NOT NULL)),
  CHECK ((kind = 'usage') = (holder_id IS NOT NULL))
);
CREATE INDEX credit_ledger_account ON credit_ledger (account_id, id DESC);
-- Once per account and month; a better plan within the month adds the difference, once.
CREATE UNIQUE INDEX credit_ledger_included ON credit_ledger (account_id, month, plan) WHERE kind = 'included';

CREATE TRIGGER credit_ledger_append_only BEFORE UPDATE OR DELETE ON credit_ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_ledger_not_emptied BEFORE TRUNCATE ON credit_ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A process that meters. One that says nothing until `expires_at` is taken for dead.
CREATE TABLE credit_holders (
  id         uuid PRIMARY KEY,
  -- Its last settlement: the same one again changes nothing.
  settlement bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX credit_holders_expiry ON credit_holders (expires_at);

-- Set aside for a process and not yet settled.
CREATE TABLE credit_leases (
  holder_id  uuid NOT NULL REFERENCES credit_holders (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES credit_accounts (account_id),
  credits    bigint NOT NULL CHECK (credits >= 0),
  PRIMARY KEY (holder_id, account_id)
);
CREATE INDEX credit_leases_account ON credit_leases (account_id);

-- What was asked, by route and UTC day. Also of accounts that are not limited.
CREATE TABLE credit_usage (
  account_id   uuid NOT NULL REFERENCES accounts (id),
  day          date NOT NULL,
  operation_id text NOT NULL,
  key_id       uuid NOT NULL,
  calls        bigint NOT NULL,
  credits      bigint NOT NULL,
  PRIMARY KEY (account_id, day, operation_id, key_id)
);
