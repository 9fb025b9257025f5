-- What a session of the bridge was when it was made, as marks of its parts: whoever looks again is shown no other. A mark tells nobody who pays.

ALTER TABLE bridge_sessions ADD COLUMN agreed jsonb NOT NULL DEFAULT '{}';
