// Sports: the games listed by all venues, every market on its game, and the bets that each venue offers on it.
import { compareFixture } from './routes/compareFixture.ts'
import { getFixture } from './routes/getFixture.ts'
import { getSportsScreen } from './routes/getScreen.ts'
import { listSportsFacets } from './routes/listFacets.ts'
import { listFixtures } from './routes/listFixtures.ts'

export { keyOf, type SportsInput } from '#matching/read/games/input'
export { retentionDays, type SportsAnswer, SportsEngine } from './engine.ts'
export { inputOf } from './matcherInput.ts'
export type { FixtureMirror, FixtureSnapshot, Quote, Quotes, SportsDeps, SportsRouteDeps } from './ports.ts'
export { type RunningMirror, startFixtureMirror } from './postgresMirror.ts'
export {
  type FixtureEntry,
  type FixtureHead,
  type FixtureRecord,
  type SportsTotals,
  type UnplacedReason,
  unplacedReasons,
} from './records.ts'
export type { SportsPiece, SportsThread } from './thread.ts'

export const sportsRoutes = [listFixtures, getFixture, getSportsScreen, compareFixture, listSportsFacets] as const
