// Payouts of resolved markets in which an account has entries, from the catalog.
//
// The catalog does not record when it saw a market resolve, so the time of a settlement is the best known one, and its source is named. It
// is never before the account's last trade in the market, and never after its first redemption there.
import { readDecimal } from '#core/decimal'
import type { Market } from '#schemas/market'
import { settlementVenues } from '#schemas/venues'
import type { LedgerEntry, OutcomeShares, SettlementEntry } from '../ledger/entry.ts'
import { withdrawnIds } from '../ledger/order.ts'
import type { SettlementTime } from '../ports.ts'

export interface HeldMarket {
  venue: string
  marketId: string
  currency: string | null
  /** Without those of withdrawn entries alone. */
  outcomeIds: Set<string>
  /** Of its last fill, import or exchange that counts, epoch ms. */
  lastAt: number
  /** Epoch ms; null: none. */
  redeemedAt: number | null
}

export const marketKey = (venue: string, marketId: string): string => `${venue}:${marketId}`

/** Markets of which the account's outcomes are known, by `venue:marketId`. */
export function heldMarkets(entries: readonly LedgerEntry[]): Map<string, HeldMarket> {
  const held = new Map<string, HeldMarket>()
  const redeemed = new Map<string, number>()
  const withdrawn = withdrawnIds(entries)
  for (const entry of entries) {
    if (entry.kind === 'redemption') {
      const key = marketKey(entry.venue, entry.marketId)
      redeemed.set(key, Math.min(entry.at, redeemed.get(key) ?? entry.at))
    }
    for (const { marketId, outcomeId } of outcomesOf(entry)) {
      const { venue, currency, at } = entry
      const key = marketKey(venue, marketId)
      const market = held.get(key) ?? newMarket(venue, marketId)
      held.set(key, market)
      market.currency ??= currency
      if (withdrawn.has(entry.id)) continue
      market.outcomeIds.add(outcomeId)
      market.lastAt = Math.max(market.lastAt, at)
    }
  }
  for (const [key, at] of redeemed) {
    const market = held.get(key)
    if (market !== undefined) market.redeemedAt = at
  }
  return held
}

/** Those of which the entry adds or removes shares. */
function outcomesOf(entry: LedgerEntry): Pick<OutcomeShares, 'marketId' | 'outcomeId'>[] {
  switch (entry.kind) {
    case 'fill':
    case 'import':
      return [entry]
    case 'split':
    case 'merge':
      return entry.outcomeIds.map((outcomeId) => ({ marketId: entry.marketId, outcomeId }))
    case 'conversion':
      return [...entry.gives, ...entry.receives]
    default:
      return []
  }
}

const newMarket = (venue: string, marketId: string): HeldMarket => ({
  venue,
  marketId,
  currency: null,
  outcomeIds: new Set(),
  lastAt: Number.NEGATIVE_INFINITY,
  redeemedAt: null,
})

/** Venues that do not pay without a claim. */
export const holdersRedeem: ReadonlySet<string> = new Set(settlementVenues)

interface Resolved {
  /** By `venue:marketId`. */
  markets: ReadonlyMap<string, Market>
  /** Epoch ms, by `venue:marketId`. */
  reportedAt: ReadonlyMap<string, number>
  nowMs: number
}

export function settlementsOf(
  held: ReadonlyMap<string, HeldMarket>,
  { markets, reportedAt, nowMs }: Resolved,
): { entries: SettlementEntry[]; times: SettlementTime[] } {
  const entries: SettlementEntry[] = []
  const times: SettlementTime[] = []
  for (const [key, { venue, marketId, currency, outcomeIds, lastAt, redeemedAt }] of held) {
    const market = markets.get(key)
    if (market?.status !== 'resolved') continue
    const found = reportedTime(market, reportedAt.get(key) ?? null, nowMs)
    const time = within(found, { lastAt, redeemedAt })
    const paysItself = !holdersRedeem.has(venue)
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
