// `crossbook matches …`: an operator's verdict on a pair, which overrides the matcher from its next run, a few seconds later.
import { userInfo } from 'node:os'
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { canonicalVenue, servedVenues } from '#schemas/venues'
import { findMarket } from '#storage/postgres/catalog/findMarket'
import {
  findActiveOverride,
  insertOverride,
  listOverrides,
  type NewOverride,
  type OverrideCommand,
  type OverrideSide,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { nothing, tableOf } from './table.ts'

export interface MatchWord {
  reason?: string
  /** Who did it; defaults to the user of this machine. */
  by?: string
  polarity?: string
}

const reasonMax = 1_000

/** `crossbook matches pin <venue:marketId> <venue:marketId> --reason <text> [--polarity same|inverse]` */
export async function matchesPin(pool: Pool, one: string, other: string, word: MatchWord): Promise<Lines> {
  const [a, b] = await readPair(pool, one, other)
  return recordOverride(pool, {
    a,
    b,
    action: 'pin',
    polarity: readPolarity(word.polarity ?? 'same'),
    ...readWord(word),
  })
}

/** `crossbook matches forbid <venue:marketId> <venue:marketId> --reason <text>` */
export async function matchesForbid(pool: Pool, one: string, other: string, word: MatchWord): Promise<Lines> {
  const [a, b] = await readPair(pool, one, other)
  return recordOverride(pool, { a, b, action: 'forbid', polarity: null, ...readWord(word) })
}

/** `crossbook matches withdraw <venue:marketId> <venue:marketId> --reason <text>`: the matcher decides again. */
export async function matchesWithdraw(pool: Pool, one: string, other: string, word: MatchWord): Promise<Lines> {
  const [a, b] = readSides(one, other)
  if ((await findActiveOverride(pool, { a, b })) === null)
    throw new Fault('NOT_FOUND', 'nothing is pinned or forbidden here: see crossbook matches list')
  return recordOverride(pool, { a, b, action: 'withdraw', polarity: null, ...readWord(word) })
}

/** `crossbook matches list`: all verdicts ever given, with those in effect marked. */
export async function matchesList(pool: Pool): Promise<Lines> {
  const words = await listOverrides(pool)
  if (words.length === 0) return nothing('no overrides')
  const table = [
    ['MARKET', 'MARKET', 'VERDICT', 'NOW', 'GIVEN AT', 'BY', 'REASON'],
    ...words.map((word) => [
      textOf(word.a),
      textOf(word.b),
      word.polarity === 'inverse' ? `${word.action} inverse` : word.action,
      stateOf(word),
      word.setAt.toISOString(),
      word.setBy,
      word.reason,
    ]),
  ]
  const records = words.map((word) => ({ ...recordOf(word), holds: stateOf(word) === 'holds', saidAt: word.setAt }))
  return tableOf(table, records)
}

const recordOf = ({ a, b, action, polarity, setBy, reason }: NewOverride): object => ({
  markets: [textOf(a), textOf(b)],
  action,
  polarity,
  by: setBy,
  reason,
})

const stateOf = ({ last, action }: OverrideCommand): string =>
  last && action !== 'withdraw' ? 'holds' : action === 'withdraw' ? '-' : 'over'

async function recordOverride(pool: Pool, word: NewOverride): Promise<Lines> {
  const { a, b, action, polarity, setBy, reason } = await insertOverride(pool, word)
  const verb = { pin: 'pinned', forbid: 'forbidden', withdraw: 'withdrawn' }[action]
  const lines = [
    `${verb}  ${textOf(a)}  ${textOf(b)}${polarity === 'inverse' ? '  (inverse)' : ''}`,
    `reason  ${reason}`,
    `by      ${setBy}`,
    'The matcher applies it from its next run.',
  ]
  return withRecords(lines, [recordOf(word)])
}

export const textOf = ({ venue, marketId }: OverrideSide): string => `${venue}:${marketId}`

export function readSides(one: string, other: string): [OverrideSide, OverrideSide] {
  const [a, b] = [readSide(one), readSide(other)]
  if (a.venue === b.venue) throw new Fault('VALIDATION_ERROR', 'a pair needs two markets on two venues')
  return [a, b]
}

/** A verdict on a nonexistent market would be stored for ever and never apply. */
async function readPair(pool: Pool, one: string, other: string): Promise<[OverrideSide, OverrideSide]> {
  const sides = readSides(one, other)
  for (const side of sides) {
    if ((await findMarket(pool, side.venue, side.marketId)) === null)
      throw new Fault('MARKET_NOT_FOUND', `the catalog has no market ${textOf(side)}`)
  }
  return sides
}

const venues: ReadonlySet<string> = new Set(servedVenues)

function readSide(text: string): OverrideSide {
  const colon = text.indexOf(':')
  const venue = canonicalVenue(text.slice(0, Math.max(0, colon)))
  const marketId = text.slice(colon + 1)
  if (colon <= 0 || marketId === '')
    throw new Fault('VALIDATION_ERROR', `write a market as <venue>:<marketId>, not "${text}"`)
  if (!venues.has(venue)) throw new Fault('VALIDATION_ERROR', `no venue "${venue}": one of ${servedVenues.join(', ')}`)
  return { venue, marketId }
}

function readPolarity(word: string): 'same' | 'inverse' {
  if (word === 'same' || word === 'inverse') return word
  throw new Fault('VALIDATION_ERROR', 'polarity must be same or inverse')
}

export function readWord({ reason, by }: MatchWord): { reason: string; setBy: string } {
  const text = reason?.trim() ?? ''
  if (text === '' || text.length > reasonMax)
    throw new Fault(
      'VALIDATION_ERROR',
      `a reason of at most ${reasonMax} characters is required: it is kept for the audit`,
    )
  const name = (by ?? userInfo().username).trim().slice(0, 200)
  if (name === '') throw new Fault('VALIDATION_ERROR', '--by <name> is required')
  return { reason: text, setBy: name }
}
