// Maps PRED's rows to our types: a parent is an event, each of its children a market of YES (long) and NO (short) on one book.
// Pure.
import { ONE, toProbability } from '#core/price'
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, isLevelPrice, isoOf, known, numberOf, omitUndefined, textOf } from '../../shared/data/parsers.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import type { BookSnapshot } from '../../venue.ts'
import { idsOf, marketIdOf } from '../ids.ts'
import type { PredBook, PredChild, PredEntry, PredParent } from '../wire.ts'

const sourceExchange = 'pred'
const volumeUnit = 'USD'
/** The URL of a single market's page is undocumented. */
const url = 'https://www.pred.app'

/** Other words are undocumented. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['active', 'active'],
  ['resolved', 'resolved'],
  ['redeemed', 'resolved'],
])
export const statusOf = (word: string | null | undefined): MarketStatus =>
  statuses.get(word?.toLowerCase() ?? '') ?? 'unknown'

/** A child trades only while its parent does. */
function childStatus(child: PredChild, parent: PredParent): MarketStatus {
  const own = statusOf(child.status)
  return own === 'active' ? statusOf(parent.status) : own
}

const microsPerCent = ONE / 100

/** Micros of a price in cents; null when no order could have it, or finer than a millionth of a dollar. */
function microsOfCents(cents: string | null | undefined): number | null {
  const micros = (numberOf(cents) ?? Number.NaN) * microsPerCent
  const whole = Math.round(micros)
  return Math.abs(whole - micros) < 1e-6 && isLevelPrice(whole) ? whole : null
}

/** Parents of one fixture may differ only by their line. */
function parentTitle({ title, market_line: line }: PredParent): string {
  const lineText = textOf(line)
  return lineText === undefined || numberOf(lineText) === 0 || title.includes(lineText) ? title : `${title} ${lineText}`
}

/** Data that only the list has. */
export type PredFixture = Pick<PredEntry, 'fixture' | 'league_data'>

export function normalizeMarket(child: PredChild, parent: PredParent, siblings: number): Market {
  const marketId = marketIdOf(parent.parent_market_id, child.market_id)
  const status = childStatus(child, parent)
  const tick = microsOfCents(child.tick_size)
  const closeTime = isoOf(parent.markets_open)
  return {
    marketId,
    eventId: parent.parent_market_id,
    title: `${parentTitle(parent)}: ${child.name}`,
    description: textOf(child.rules) ?? textOf(parent.rules) ?? '',
    // The winner is not reported: the last trade price is not the payout.
    outcomes: binaryOutcomes(marketId, idsOf(marketId), {
      price: status === 'resolved' ? null : microsOfCents(child.ltp),
      bid: null,
      ask: null,
    }),
    volume24h: null,
    volume: amountOf(child.volume),
    liquidity: null,
    openInterest: null,
    url,
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { closed: closeTime }),
      image: textOf(child.logo_url) ?? textOf(parent.logo_url),
      contractAddress: textOf(parent.contract_address),
    }),
    tickSize: tick === null ? null : toProbability(tick),
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USDC',
      volumeUnit,
      parentMarketId: parent.parent_market_id,
      childMarketId: child.market_id,
      contractAddress: parent.contract_address,
      contractType: parent.contract_type,
      parentMarketType: parent.parent_market_type,
      parentMarketFamily: parent.parent_market_family,
      line: parent.market_line,
      venueStatus: child.status,
      parentStatus: parent.status,
      yesSubTitle: child.name,
      alternateName: child.alternate_name,
      teamId: child.team_id,
      midPriceCents: numberOf(child.mid_price),
      percentageChange: numberOf(child.percentage_change),
      closeTime,
      // Orders of sibling markets that add up to a dollar match: its book may show levels that rest in theirs. They are tradable.
      crossMatchedLevels: siblings > 1 ? 'possible' : undefined,
    }),
  }
}

export function normalizeEvent(
  parent: PredParent,
  children: readonly PredChild[],
  fixtureData: PredFixture | null,
): Event {
  const markets = children.map((child) => normalizeMarket(child, parent, children.length))
  const { fixture, league_data: league } = fixtureData ?? {}
  return {
    id: parent.parent_market_id,
    title: parentTitle(parent),
    description: textOf(parent.rules) ?? '',
    slug: textOf(parent.canonical_name) ?? '',
    markets,
    ...dailyVolume(markets),
    volume: amountOf(parent.parent_market_volume),
    url,
    ...omitUndefined({ image: textOf(parent.logo_url) }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      volumeUnit,
      venueStatus: parent.status,
      parentMarketType: parent.parent_market_type,
      parentMarketFamily: parent.parent_market_family,
      line: parent.market_line,
      leagueId: league?.league_id,
      fixtureId: fixture?.fixture_id,
      fixtureName: fixture?.canonical_name,
      gameStartTime: isoOf(fixture?.game_start_time),
      gameStatus: fixture?.game_status,
      homeTeamId: fixture?.home_team_id,
      homeTeamScore: fixture?.home_team_score,
      awayTeamId: fixture?.away_team_id,
      awayTeamScore: fixture?.away_team_score,
      groupBy: fixture?.group_by,
      matchDay: fixture?.match_day,
      closeTime: isoOf(parent.markets_open),
    }),
  }
}

/** The long side's book, null when a level is unreadable or repeated. It has no time of its own. */
export function normalizeBook(bookId: string, { bids, asks }: PredBook, recvTs: number): BookSnapshot | null {
  const side = (rows: PredBook['bids']) =>
    levelsOf(rows, ({ price, size }) => [microsOfCents(price), amountOf(size)], 'refused')
  return snapshotOf(bookId, { bids: side(bids), asks: side(asks) }, recvTs)
}
