// Maps SX Bet's rows to our types: a market of two outcomes, a fixture with all its markets as an event, a league as a series. Pure. Rows
// carry no prices and no volumes: prices are the book's, the day's volume is summed from the tape.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { isoOfTime, known, omitUndefined, textOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import { idsOf } from '../ids.ts'
import type { SxbetMarket } from '../wire.ts'
import { tournamentWinner, typeName } from './marketTypes.ts'
import { tickMicros } from './tape.ts'

const sourceExchange = 'sxbet'
const volumeUnit = 'USD'
/** The URL of a single market's page is undocumented. */
const url = 'https://sx.bet'

const isReported = ({ outcome }: SxbetMarket): boolean => typeof outcome === 'number'

/** A reported market may still call itself active. INACTIVE takes no bets now; it may do so again. */
function statusOf(raw: SxbetMarket): MarketStatus {
  if (isUnreadable(raw.outcome)) return 'unknown'
  if (isReported(raw)) return 'resolved'
  return raw.status === 'ACTIVE' ? 'active' : raw.status === 'INACTIVE' ? 'inactive' : 'unknown'
}

/** Payout of side one, micros. Stakes of a void market are refunded: neither side has a price. */
const settledMicros = ({ outcome }: SxbetMarket): number | null => (outcome === 1 ? ONE : outcome === 2 ? 0 : null)

const startOf = ({ gameTime }: SxbetMarket): string | undefined => isoOfTime(timeOfEpoch(gameTime, 's'))

/** The fixture. A market that does not name one is an event of its own: others with the same teams may be of another game. */
export const eventIdOf = ({ sportXeventId, marketHash }: SxbetMarket): string => sportXeventId ?? marketHash

/** The two teams; for a tournament its league, since its competitors have one market each. */
function fixtureOf(raw: SxbetMarket): string {
  const { teamOneName, teamTwoName, leagueLabel, type } = raw
  const [one, two, league] = [textOf(teamOneName), textOf(teamTwoName), textOf(leagueLabel)]
  const teams = one === undefined || two === undefined ? undefined : `${one} vs ${two}`
  return (type === tournamentWinner ? (league ?? teams) : (teams ?? league)) ?? eventIdOf(raw)
}

const typeNameOf = ({ type }: SxbetMarket): string | undefined =>
  typeof type === 'number' ? typeName(type) : undefined

/** The question about the fixture: `Under/Over, Over 36.5 / Under 36.5`. The sides usually name their line themselves; otherwise it is prefixed. */
function questionOf(raw: SxbetMarket): string {
  const { outcomeOneName: one, outcomeTwoName: two, line } = raw
  if (raw.type === tournamentWinner) return one
  const name = typeNameOf(raw)
  const sides = `${one} / ${two}`
  const isLineShown = typeof line !== 'number' || sides.includes(String(Math.abs(line)))
  const questionText = isLineShown ? name : [name, String(line)].filter(Boolean).join(' ')
  const areTeams = one === textOf(raw.teamOneName) && two === textOf(raw.teamTwoName)
  return areTeams && questionText !== undefined ? questionText : [questionText, sides].filter(Boolean).join(', ')
}

export function normalizeMarket(raw: SxbetMarket): Market {
  const { marketHash } = raw
  const league = textOf(raw.leagueLabel)
  const sport = textOf(raw.sportLabel)
  const status = statusOf(raw)
  const settlementTime = isoOfTime(timeOfEpoch(raw.reportedDate, 's'))
  return {
    marketId: marketHash,
    eventId: eventIdOf(raw),
    title: `${fixtureOf(raw)}: ${questionOf(raw)}`,
    description: '',
    slug: marketHash,
    outcomes: binaryOutcomes(
      marketHash,
      idsOf(marketHash),
      { price: settledMicros(raw), bid: null, ask: null, ...(isReported(raw) ? {} : { otherPrice: null }) },
      [raw.outcomeOneName, raw.outcomeTwoName],
    ),
    volume24h: null,
    volume: null,
    liquidity: null,
    openInterest: null,
    url,
    // The start of the game is the only time that the venue reports for a market.
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { resolved: settlementTime, expected: startOf(raw) }),
      category: sport,
    }),
    tags: [sport, league].filter((tag) => tag !== undefined),
    tickSize: tickMicros / ONE,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USDC',
      /** Offers of peers: see the README. */
      synthetic: true,
      volumeUnit,
      venueStatus: raw.status,
      venueType: raw.type,
      venueTypeName: typeNameOf(raw),
      line: raw.line,
      mainLine: raw.mainLine,
      isQuarterLineMarket: raw.isQuarterLineMarket,
      outcomeVoidName: raw.outcomeVoidName,
      teamOneName: raw.teamOneName,
      teamTwoName: raw.teamTwoName,
      teamOneScore: raw.teamOneScore,
      teamTwoScore: raw.teamTwoScore,
      sportId: raw.sportId,
      leagueId: raw.leagueId,
      leagueLabel: league,
      liveEnabled: raw.liveEnabled,
      group1: raw.group1,
      group2: raw.group2,
      gameStartTime: startOf(raw),
      settlementTime,
      result: isReported(raw) ? resultNames[raw.outcome as number] : undefined,
    }),
  }
}
const resultNames = ['void', '1', '2'] as const

/** All markets of one fixture; at least one. */
export function normalizeEvent(rows: readonly SxbetMarket[]): Event {
  const [first] = rows as [SxbetMarket]
  const titles = new Set(rows.map(fixtureOf))
  const markets = rows.map(normalizeMarket)
  const sport = textOf(first.sportLabel)
  return {
    id: eventIdOf(first),
    title: titles.size === 1 ? fixtureOf(first) : (textOf(first.leagueLabel) ?? fixtureOf(first)),
    description: '',
    slug: eventIdOf(first).toLowerCase(),
    markets,
    ...dailyVolume(markets),
    volume: null,
    url,
    ...omitUndefined({ category: sport }),
    tags: markets[0]!.tags!,
    seriesId: seriesOf(first)?.id ?? null,
    sourceExchange,
    sourceMetadata: known({
      sportId: first.sportId,
      leagueId: first.leagueId,
      leagueLabel: first.leagueLabel,
      gameStartTime: startOf(first),
      volumeUnit,
    }),
  }
}

/** The league, if the row names it. */
export function seriesOf({ leagueId, leagueLabel, sportId, sportLabel }: SxbetMarket): Series | null {
  const title = textOf(leagueLabel)
  if (typeof leagueId !== 'number' || title === undefined) return null
  return { id: String(leagueId), title, sourceExchange, sourceMetadata: known({ sportId, sportLabel }) }
}
