-- What an operator found stands as it was said: a label is never changed, and none is taken away. Another word is another row.
CREATE TRIGGER match_labels_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_labels
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
