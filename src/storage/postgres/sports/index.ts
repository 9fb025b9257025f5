// What the sports engine reads and stores.

export {
  findCatalogVersion,
  findRowVersions,
  findSportsWords,
  type RowVersion,
  type SportsWords,
} from './findSportsWords.ts'
export {
  beatSports,
  type FixturePiece,
  type FixtureRow,
  findCatalogWalks,
  findFixtureEntries,
  findFixturesSince,
  findPlacedMarkets,
  findSportsState,
  type PlacedMarkets,
  type SportsPass,
  type SportsStateRow,
  writeSportsPass,
} from './fixtures.ts'
