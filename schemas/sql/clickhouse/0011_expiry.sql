-- Up to when rows of a table may have been let go, as its time to live was before it was changed: a longer one brings nothing back. The newest of a
-- table stands. What the present one lets go of is not written here: the table itself says how long that is.
CREATE TABLE IF NOT EXISTS tape_expiry
(
  name   LowCardinality(String),
  until  UInt64
)
ENGINE = ReplacingMergeTree(until)
ORDER BY name;
