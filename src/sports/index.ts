// Sports: the games that all venues list, and every market on its game.
export { rememberedDays, type SportsAnswer, SportsEngine } from './engine.ts'
export { keyOf, type SportsInput } from './input.ts'
export type { SportsPiece, SportsThread } from './port.ts'
export type { FixtureEntry, FixtureHead, FixtureRecord, SportsTotals, UnplacedReason } from './records.ts'
export { inputOf } from './wordsInput.ts'
