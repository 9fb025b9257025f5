// Maps Pascal's markets to our types. Pure: one row in, one value out. Unknown values stay unknown.
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { amountOf, isoOfTime, known, microsOf, omitUndefined, textOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import { eventOf, idsOf } from '../ids.ts'
import type { PascalMarket } from '../wire.ts'

const sourceExchange = 'pascal'
const volumeUnit = 'USD'

/** Takers' buys plus sells; null unless both are reported. */
export function volume24hOf({ stats }: PascalMarket): number | null {
  const [bought, sold] = [amountOf(stats?.last_24h?.taker_buy_volume), amountOf(stats?.last_24h?.taker_sell_volume)]
  return bought === null || sold === null ? null : Math.round((bought + sold) * 1e6) / 1e6
}

const tagsOf = ({ display_attributes: shown }: PascalMarket): string[] | undefined => {
  const tags = (shown?.tags ?? []).filter((tag) => typeof tag === 'string')
  return tags.length === 0 ? undefined : tags
}

/** By its resolution alone: the venue names no state between trading and resolution. */
const statusOf = ({ resolution }: PascalMarket): MarketStatus =>
  resolution === undefined ? 'unknown' : resolution === null ? 'active' : 'resolved'

/** Micros paid per contract; null for a resolution of unknown form. */
const paidOf = ({ resolution }: PascalMarket): number | null =>
  typeof resolution === 'string' ? microsOf(resolution) : null

const urlOf = (symbol: string): string => `https://app.pascal.trade/?marketSymbol=${encodeURIComponent(symbol)}`

export function normalizeMarket(raw: PascalMarket): Market {
  const { symbol, display_attributes: shown, stats } = raw
  const status = statusOf(raw)
  const names = [textOf(shown?.event_description), textOf(shown?.market_description)].filter(
    (name) => name !== undefined,
  )
  const tick = amountOf(raw.tick_size_min)
  const tags = tagsOf(raw)
  return {
    marketId: symbol,
    eventId: eventOf(symbol),
    title: names.join(': ') || symbol,
    description: '',
    slug: symbol.toLowerCase(),
    // Rows have no quotes of the book.
    outcomes: binaryOutcomes(symbol, idsOf(symbol), {
      price: status === 'resolved' ? paidOf(raw) : microsOf(raw.mark_price),
      bid: null,
      ask: null,
    }),
    ...ownDailyVolume(volume24hOf(raw)),
    volume: amountOf(stats?.all_time?.taker_volume_usdc) ?? amountOf(stats?.all_time?.volume_usdc),
    liquidity: null,
    openInterest: amountOf(raw.open_interest),
    url: urlOf(symbol),
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, {
        expected: isoOfTime(timeOfEpoch(shown?.expected_resolution_time_ms, 'ms')),
      }),
      category: tags?.[0],
      tags,
    }),
    tickSize: tick !== null && tick > 0 && tick < 1 ? tick : null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USDC',
      volumeUnit,
      takerFeeRate: amountOf(raw.taker_fee_rate),
      gameStartTime: isoOfTime(timeOfEpoch(shown?.expected_event_start_time_ms, 'ms')),
      section: shown?.game_page?.section_description,
      reference: shown?.reference ?? undefined,
      resolution: raw.resolution,
    }),
  }
}

/** The venue has no event rows: an event is the prefix of its markets' symbols. */
export function eventsOf(markets: readonly Market[], titles: ReadonlyMap<string, string>): Event[] {
  const byEvent = Map.groupBy(markets, ({ eventId }) => eventId!)
  return [...byEvent].map(([id, members]) => ({
    id,
    title: titles.get(id) ?? id,
    description: '',
    slug: id.toLowerCase(),
    markets: members,
    ...dailyVolume(members),
    volume: null,
    url: members[0]!.url,
    ...omitUndefined({ category: members[0]!.category, tags: members[0]!.tags }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: { volumeUnit },
  }))
}

export const eventTitleOf = ({ display_attributes: shown }: PascalMarket): string | undefined =>
  textOf(shown?.event_description)
