// Payouts of resolved markets in which an account has entries, from the catalog.
//
// The catalog does not record when it saw a market resolve, so the time of a settlement is the best known one, and its source is named. It
// is never before the account's last trade in the market, and never after its first redemption there.
import { readDecimal } from '#core/decimal'
import type { Market } from '#schemas/market'
import type { LedgerEntry, SettlementEntry } from '../ledger/entry.ts'
import type { JournalPorts, SettlementTime } from '../ports.ts'

export interface HeldMarket {
  venue: string
  marketId: string
  currency: string | null
  outcomeIds: Set<string>
  /** Of its last fill or import, epoch ms. */
  lastAt: number
  /** Epoch ms; null: none. */
  redeemedAt: number | null
}

export const marketKey = (venue: string, marketId: string): string => `${venue}:${marketId}`

/** Markets of which the account's outcomes are known, by `venue:marketId`. */
export function heldMarkets(entries: readonly LedgerEntry[]): Map<string, HeldMarket> {
  const held = new Map<string, HeldMarket>()
  const redeemed = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind === 'redemption') {
      const key = marketKey(entry.venue, entry.marketId)
      redeemed.set(key, Math.min(entry.at, redeemed.get(key) ?? entry.at))
    }
    if (entry.kind !== 'fill' && entry.kind !== 'import') continue
    const { venue, marketId, outcomeId, currency, at } = entry
    const key = marketKey(venue, marketId)
    const known = held.get(key)
    if (known === undefined) {
      held.set(key, { venue, marketId, currency, outcomeIds: new Set([outcomeId]), lastAt: at, redeemedAt: null })
      continue
    }
    known.outcomeIds.add(outcomeId)
    known.currency ??= currency
    known.lastAt = Math.max(known.lastAt, at)
  }
  for (const [key, at] of redeemed) {
    const market = held.get(key)
    if (market !== undefined) market.redeemedAt = at
  }
  return held
}

interface Resolved {
  lanes: JournalPorts['lanes']
  /** By `venue:marketId`. */
  markets: ReadonlyMap<string, Market>
  /** Epoch ms, by `venue:marketId`. */
  reportedAt: ReadonlyMap<string, number>
  nowMs: number
}

export function settlementsOf(
  held: ReadonlyMap<string, HeldMarket>,
  { lanes, markets, reportedAt, nowMs }: Resolved,
): { entries: SettlementEntry[]; times: SettlementTime[] } {
  const entries: SettlementEntry[] = []
  const times: SettlementTime[] = []
  for (const [key, { venue, marketId, currency, outcomeIds, lastAt, redeemedAt }] of held) {
    const market = markets.get(key)
    if (market?.status !== 'resolved') continue
    const found = reportedTime(market, reportedAt.get(key) ?? null, nowMs)
    const time = within(found, { lastAt, redeemedAt })
    const paysItself = lanes.get(venue)?.redeem === undefined
    const settled = market.outcomes.flatMap(({ outcomeId, price }): SettlementEntry[] => {
      const value = price === null ? null : readDecimal(price)
      if (value === null || !outcomeIds.has(outcomeId)) return []
      const id = `settlement:${venue}:${marketId}:${outcomeId}`
      const base = { id, at: time.at, venue, currency, provenance: 'venue_api' } as const
      return [{ ...base, kind: 'settlement', marketId, outcomeId, value, paysItself }]
    })
    if (settled.length === 0) continue
    entries.push(...settled)
    times.push({ venue, marketId, ...time })
  }
  return { entries, times }
}

type Time = Pick<SettlementTime, 'at' | 'source'>

/** A date after now is a plan, not a time. */
function reportedTime({ sourceMetadata, resolutionDate }: Market, reportedAt: number | null, nowMs: number): Time {
  const { settlementTime } = sourceMetadata
  const venue = typeof settlementTime === 'string' ? Date.parse(settlementTime) : Number.NaN
  if (venue <= nowMs) return { at: venue, source: 'venue' }
  const date = resolutionDate === undefined ? Number.NaN : Date.parse(resolutionDate)
  if (date <= nowMs) return { at: date, source: 'resolutionDate' }
  return { at: Math.min(reportedAt ?? nowMs, nowMs), source: 'catalogUpdate' }
}

function within(time: Time, { lastAt, redeemedAt }: Pick<HeldMarket, 'lastAt' | 'redeemedAt'>): Time {
  const before: Time = redeemedAt !== null && redeemedAt < time.at ? { at: redeemedAt, source: 'redemption' } : time
  return before.at < lastAt ? { at: lastAt, source: 'lastTrade' } : before
}
