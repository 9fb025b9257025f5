// The scored feed: trades of known wallets, as scored when they were recorded.

import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { LeaderboardWindow, SmartMoneyTrade, WalletCategory } from '#schemas/traders'
import { withoutVenue } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import { queryNumber } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'
import {
  feedWindow,
  informedness,
  lastBackfilled,
  neverBackfilled,
  noBackfill,
  noRecord,
  notPolled,
  notRead,
  polledUntil,
  scoped,
  scoresOlderThan,
} from '../disclaimers.ts'
import type { Freshness, SmartMoneyPosition } from '../ports.ts'
import type { Traders, TradersRouteDeps } from '../traders.ts'
import { feedVenues, unsupported, venueOf } from '../venue.ts'
import { answer, Cursor, Limit, metaSchema, Wallet } from './shapes.ts'

const kind = 'smartMoney'
const dayMs = 86_400_000
const spans = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, all: null } as const

const Position = z.object({ ts: z.number().int(), tradeId: z.string(), venue: z.string(), outcomeId: z.string() })

export const listSmartMoney = defineRoute({
  operationId: 'listSmartMoney',
  method: 'get',
  path: '/v1/traders/smart-money',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'Scored trades of known wallets, newest first; the wallet’s score and category are those at the trade',
  tag: 'traders',
  query: z.object({
    venue: VenueName.optional(),
    /** Of `tradeScore`. */
    minScore: queryNumber({ min: 0, max: 100 }).optional(),
    market: z.string().min(1).max(256).optional(),
    wallet: Wallet.optional(),
    category: WalletCategory.optional(),
    window: LeaderboardWindow.default('all'),
    limit: Limit,
    cursor: Cursor.optional(),
  }),
  data: z.array(SmartMoneyTrade),
  topLevelFields: { ...metaSchema, nextCursor: NextCursor },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'TRADERS_UNSUPPORTED', 'HISTORY_UNAVAILABLE'],
  async handle({ query }, { traders }: TradersRouteDeps) {
    const { limit, cursor, window, minScore = null, category = null } = query
    const { venues, market } = within(venuesOf(traders, query.venue), query.market ?? null)
    const wallet = query.wallet === undefined ? null : spelled(traders, query.venue, query.wallet)
    const bind = cursorBinding({ venue: query.venue, minScore, market, wallet, category, window })
    const after = cursor === undefined ? null : positionOf(traders, bind, cursor)
    const span = spans[window]
    const found =
      traders.record === null || venues.length === 0
        ? []
        : await traders.record.listSmartMoney({
            venues,
            minScore,
            market,
            wallet,
            category,
            sinceMs: span === null ? null : traders.clock.now() - span,
            after,
            limit: limit + 1,
          })
    const fresh = traders.record === null ? null : freshnessOf(await traders.record.freshness(), venues, traders)
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const next: SmartMoneyPosition | null =
      found.length > limit && last !== undefined
        ? { ts: last.ts, tradeId: last.tradeId, venue: last.venue, outcomeId: last.outcomeId ?? '' }
        : null
    return answer(rows, {
      asOf: fresh?.asOf ?? null,
      source: 'archive',
      notes: [...(fresh === null ? [noRecord] : fresh.notes), feedWindow, informedness, scoped],
      nextCursor: next === null ? undefined : traders.cursors.encode(kind, bind, next),
    })
  },
})

/**
 * As of the oldest read of its venues; null when one of them is unknown. A venue without trader names, or not read here, does not count.
 */
function freshnessOf(
  { takenUp, lookedUntil, isBehind }: Freshness,
  venues: readonly string[],
  { venues: served }: Traders,
): { asOf: number | null; notes: string[] } {
  const hasAnonymousTrades = (venue: string): boolean => served.get(venue)?.traders?.hasAnonymousTrades === true
  const unread = new Map(venues.flatMap((venue) => missingOf(served, venue)))
  const read = venues.filter((venue) => !hasAnonymousTrades(venue) && !unread.has(venue))
  const looked = timesOf(read, lookedUntil)
  const traded = timesOf(read, takenUp)
  const unknown = read.filter((venue) => !lookedUntil.has(venue))
  const silent = read.filter((venue) => !takenUp.has(venue))
  const unseen = venues.filter(hasAnonymousTrades)
  return {
    asOf: looked.length === 0 || unknown.length > 0 ? null : Math.min(...looked.map(([, at]) => at)),
    notes: [
      ...(looked.length === 0 ? [] : [polledUntil(looked)]),
      ...(unknown.length === 0 ? [] : [notPolled(unknown)]),
      ...(traded.length === 0 ? [] : [lastBackfilled(traded)]),
      ...(silent.length === 0 ? [] : [noBackfill(silent)]),
      ...(unseen.length === 0 ? [] : [neverBackfilled(unseen)]),
      ...[...unread].map(([venue, why]) => notRead(venue, why)),
      ...(isBehind ? [scoresOlderThan] : []),
    ],
  }
}

const timesOf = (venues: readonly string[], times: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  venues.flatMap((venue) => {
    const at = times.get(venue)
    return at === undefined ? [] : [[venue, at] as const]
  })

function missingOf(served: Traders['venues'], venue: string): [string, string][] {
  const { traders, context } = served.get(venue) ?? {}
  const why = context === undefined ? null : (traders?.missing?.(context) ?? null)
  return why === null ? [] : [[venue, why]]
}

function venuesOf({ venues }: Traders, requested: string | undefined): string[] {
  const fed = feedVenues(venues)
  if (requested === undefined) return fed
  const { slug } = venueOf(venues, requested)
  if (!fed.includes(slug)) throw unsupported(slug, `${slug} is not in the scored feed`)
  return [slug]
}

/** A market in catalog form names its venue: only that one is meant. */
function within(venues: string[], market: string | null): { venues: string[]; market: string | null } {
  if (market === null) return { venues, market }
  const named = venues.flatMap((venue) => {
    const id = withoutVenue(venue, market)
    return id === market ? [] : [{ venues: [venue], market: id }]
  })
  return named[0] ?? { venues, market }
}

/** As its venue writes it; if none is named, as an address in the form of all chains here. */
function spelled({ venues }: Traders, venue: string | undefined, wallet: string): string {
  const own = venue === undefined ? null : (venues.get(venue)?.traders?.walletOf(wallet) ?? null)
  return own ?? (/^0x[0-9a-f]{40}$/i.test(wallet) ? wallet.toLowerCase() : wallet)
}

function positionOf({ cursors }: Traders, bind: string, cursor: string): SmartMoneyPosition {
  const position = Position.safeParse(cursors.decode(kind, bind, cursor))
  if (position.success) return position.data
  // Signed by us, but in an older version's format.
  throw new Fault('VALIDATION_ERROR', 'cursor is from another version: start again without it')
}
