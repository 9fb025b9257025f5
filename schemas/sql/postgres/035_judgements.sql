-- What an LLM judge decided on template pairs (two question texts with placeholders for what they share), what people found of it, and how
-- many requests were sent to it.

-- One for each template pair, prompt and model. Never changed, never deleted.
CREATE TABLE match_judgements (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Of both texts: the first 32 hex digits of their SHA-256.
  key            text COLLATE "C" NOT NULL CHECK (key ~ '^[0-9a-f]{32}$'),
  a              text NOT NULL CHECK (length(a) BETWEEN 1 AND 2000),
  b              text NOT NULL CHECK (length(b) BETWEEN 1 AND 2000),
  prompt_version text COLLATE "C" NOT NULL CHECK (length(prompt_version) BETWEEN 1 AND 50),
  model          text COLLATE "C" NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  verdict        text NOT NULL CHECK (verdict IN ('same', 'different', 'undecided')),
  -- Why it is undecided, or a summary.
  reason         text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  -- One line for each item of the checklist.
  reasons        jsonb NOT NULL,
  -- Quotations from both markets.
  evidence       jsonb NOT NULL,
  -- Every answer as it was read, for audits.
  answers        jsonb NOT NULL,
  -- The texts that were sent, since the catalog does not keep them.
  markets        jsonb NOT NULL,
  decided_at     timestamptz NOT NULL DEFAULT now(),
  UNIQUE (key, prompt_version, model)
);
CREATE TRIGGER match_judgements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_judgements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Findings of people on a judgement: the last one of each counts. A revoked judgement has no effect.
CREATE TABLE match_judgement_reviews (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  judgement_id bigint NOT NULL REFERENCES match_judgements (id),
  action       text NOT NULL CHECK (action IN ('confirm', 'revoke')),
  reason       text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  reviewed_by  text NOT NULL CHECK (length(reviewed_by) BETWEEN 1 AND 200),
  reviewed_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX match_judgement_reviews_judgement ON match_judgement_reviews (judgement_id, id DESC);
CREATE TRIGGER match_judgement_reviews_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_judgement_reviews
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Requests sent to the judge by all processes, for each UTC day.
CREATE TABLE match_judge_requests (
  day      date PRIMARY KEY,
  requests integer NOT NULL
);
