-- How far the trades of a venue were read off its chain, and which of the blocks read could still leave it (decision 27).
CREATE TABLE chain_positions (
  venue      text PRIMARY KEY,
  chain_id   bigint NOT NULL,
  -- Of the owner that wrote it: an older one's word is void.
  epoch      bigint NOT NULL,
  -- The block behind which reading began.
  begun_block bigint NOT NULL,
  -- Blocks up to this one are taken for final.
  settled_block bigint NOT NULL,
  -- The first block to read.
  next_block bigint NOT NULL,
  -- Blocks read, by number: {number, hash, trades: [{id, outcomeId}]}.
  recent     jsonb NOT NULL,
  written_at timestamptz NOT NULL
);
