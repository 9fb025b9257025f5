-- A writer that was stopped in the middle of an insert may finish it a minute later, when its successor wrote the same rows long ago: the
-- tokens of that time must still be known. A thousand were those of seventeen seconds.
ALTER TABLE top_of_book MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE trades MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE books MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE coverage MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE arbitrage MODIFY SETTING non_replicated_deduplication_window = 20000;
