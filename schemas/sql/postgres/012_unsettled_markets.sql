-- Markets that have no result yet, whether they trade or not: those of them that a venue's lists no longer name are asked about one by one.
CREATE INDEX catalog_markets_unsettled ON catalog_markets (venue, id) WHERE doc->>'status' NOT IN ('resolved', 'archived');
