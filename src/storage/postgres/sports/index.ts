// What the sports engine reads and stores.

export {
  findCatalogVersion,
  findRowVersions,
  findSportsWords,
  type RowVersion,
  type SportsWords,
} from './findSportsWords.ts'
export {
  type FixturePiece,
  type FixtureRow,
  findCatalogWalks,
  findFixtureEntries,
  findFixturesSince,
  findPlacedMarkets,
  findSportsState,
  heartbeatSports,
  type PlacedMarkets,
  type SportsRun,
  type SportsStateRow,
  writeSportsRun,
} from './fixtures.ts'
