// A wallet's trades, newest first, as reported by the venue.

import { z } from 'zod'
import { NextCursor } from '#schemas/envelope'
import { TraderTrade } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { isSaneTrade } from '#venues/shared/data/sanityChecks'
import { scoped } from '../disclaimers.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { noSuchTrader, requireTraderData, supports, venueOf, walletOf } from '../venue.ts'
import { counted, toTraderRows } from './checkReadable.ts'
import { answer, metaSchema, PageQuery, venueErrors, WalletPath } from './shapes.ts'
import { nextOf, pageOf } from './venuePage.ts'

export const listWalletTrades = defineRoute({
  operationId: 'listWalletTrades',
  method: 'get',
  path: '/v1/traders/{venue}/wallets/{addr}/trades',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'Trades of a wallet, newest first; a wallet that was never seen trading is 404',
  tag: 'traders',
  params: WalletPath,
  query: PageQuery,
  data: z.array(TraderTrade),
  topLevelFields: { ...metaSchema, nextCursor: NextCursor },
  errors: [...venueErrors, 'TRADER_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'],
  async handle({ params, query, principal }, { traders }: TradersRouteDeps) {
    const venue = venueOf(traders.venues, params.venue, principal)
    const able = supports(venue, 'fetchWalletTrades')
    requireTraderData(venue, able)
    const wallet = walletOf(venue, params.addr)
    const cursorOf = { kind: 'walletTrades', of: { venue: venue.slug, wallet } }
    const page = pageOf(traders, cursorOf, query)
    const key = `walletTrades ${JSON.stringify([wallet, page])}`
    const found = await traders.reads.request(
      venue,
      key,
      counted((context) => able.fetchWalletTrades(context, wallet, page)),
    )
    const { next, keptSince, rows: answered } = found.answer
    const { rows, notes } = toTraderRows(venue.slug, { ...found, answer: answered }, (row) =>
      isSaneTrade(row, traders.clock.now()),
    )
    if (rows.length === 0 && page.after === null && next === null) {
      const kept = (await traders.record?.findWallet(venue.slug, wallet)) ?? null
      if (kept === null) throw noSuchTrader(venue.slug)
    }
    return answer(await traders.underOurNames(venue, rows), {
      asOf: keptSince ?? traders.clock.now(),
      source: 'venue-rest',
      cached: keptSince !== undefined,
      notes: [...notes, ...able.notes, scoped],
      nextCursor: nextOf(traders, cursorOf, { next }),
    })
  },
})
