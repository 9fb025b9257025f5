-- Brackets whose entry is open, in pages.
CREATE INDEX brackets_waiting ON brackets (id) WHERE status = 'waiting';
