-- What its caller was told an artifact says: read off it at the build, and held to it at submit. Null of what was built before this.
ALTER TABLE executions ADD COLUMN summary jsonb;
