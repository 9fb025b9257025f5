// Trades and holders. Everything is counted in each market's token and never converted to dollars.
import type { z } from 'zod'
import type { Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import type { TraderHolder, TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { numberOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { type Read, read } from '../../shared/data/rest.ts'
import { readTape, shapeReader } from '../../shared/data/rows.ts'
import { evmWallet, statsOf } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders, WalletProfile } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { marketIdOf, outcomeIdOf, type Place, placeOf } from '../ids.ts'
import { MyriadAction, MyriadPage, MyriadTrade, MyriadTrades } from '../wire.ts'
import {
  MyriadActor,
  MyriadHolder,
  MyriadHolders,
  MyriadOutcomeHolders,
  MyriadOwnAction,
  MyriadTotal,
} from '../wireTraders.ts'
import { isUnknown } from './endpoints.ts'
import { normalizeAction, normalizeTrade } from './tape.ts'

const pageRows = 100
const pagesMax = 5

const ask = <S extends z.ZodType>(context: VenueContext, request: Read<S>) => read(context, { ...request, isUnknown })

/** Rows that are not trades, such as claims, are valid but empty. */
type ParsedTrade = TraderTrade | 'no trade'
const tradesIn = (rows: readonly ParsedTrade[]): TraderTrade[] => rows.filter((row) => row !== 'no trade')

async function fetchTrades(
  context: VenueContext,
  { marketId }: Market,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const place = placeOf(marketId)
  if (place === null) return { rows: [], next: null }
  const list = place.model === 'amm' ? poolPage : bookPage
  return await readPageAfter({ first: 1, pagesMax, read: (number) => list(context, place, number) }, page)
}

/** A pool's actions name the actor. */
async function poolPage(context: VenueContext, place: Place, page: number) {
  const answer = await ask(context, {
    path: `/markets/${place.id}/events`,
    query: { network_id: place.networkId, page, limit: pageRows },
    body: MyriadPage,
  })
  const spec = { what: 'action', name: 'txId', read: (row: unknown) => mapAction(row, marketIdOf(place)) }
  const rows = readTape(context, answer?.data, spec)
  return { rows: tradesIn(rows), isLast: answer?.pagination?.hasNext !== true }
}

/** An order book's trades are anonymous. */
async function bookPage(context: VenueContext, place: Place, page: number) {
  const rows = await ask(context, {
    path: `/markets/${place.id}/trades`,
    query: { network_id: place.networkId, page, limit: pageRows },
    body: MyriadTrades,
  })
  const parseTrade = (row: unknown): TraderTrade | null => {
    const { data } = MyriadTrade.safeParse(row)
    const trade = data && normalizeTrade(data, outcomeIdOf(marketIdOf(place), data.outcome))
    return trade ? traderTrade(trade, marketIdOf(place), null) : null
  }
  return {
    rows: readTape(context, rows, { what: 'trade', name: 'txHash', read: parseTrade }),
    isLast: (rows ?? []).length < pageRows,
  }
}

function mapAction(row: unknown, marketId: string): ParsedTrade | null {
  const { data } = MyriadAction.safeParse(row)
  if (data === undefined) return null
  if (data.action !== 'buy' && data.action !== 'sell') return 'no trade'
  const trade = normalizeAction(data, outcomeIdOf(marketId, data.outcomeId ?? ''))
  return trade && traderTrade(trade, marketId, MyriadActor.safeParse(row).data?.user ?? null)
}

const traderTrade = (trade: Trade, marketId: string, user: string | null): TraderTrade => ({
  venue: 'myriad',
  marketId,
  outcomeId: trade.outcomeId,
  tradeId: trade.id,
  ts: trade.timestamp,
  wallet: user === null ? null : evmWallet(user),
  side: trade.side === 'unknown' ? null : trade.side,
  price: trade.price,
  amount: trade.amount,
  usdSize: null,
})

async function fetchHolders(context: VenueContext, { marketId }: Market, limit: number): Promise<TraderHolder[]> {
  const place = placeOf(marketId)
  if (place === null) return []
  const answer = await ask(context, {
    path: `/markets/${place.id}/holders`,
    query: { network_id: place.networkId, trading_model: place.model, page: 1, limit },
    body: MyriadHolders,
  })
  const outcomes = readTape(context, answer, {
    what: 'holders',
    name: 'outcomeId',
    read: shapeReader(MyriadOutcomeHolders),
  })
  return outcomes
    .flatMap(({ outcomeId, holders }) =>
      readTape(context, holders, {
        what: 'holder',
        name: 'user',
        read(row): TraderHolder | null {
          const { data } = MyriadHolder.safeParse(row)
          const [wallet, shares] = [evmWallet(data?.user ?? ''), numberOf(data?.shares)]
          if (wallet === null || shares === null) return null
          return { wallet, outcomeId: outcomeIdOf(marketId, outcomeId), shares, usdValue: null }
        },
      }),
    )
    .sort((a, b) => b.shares - a.shares)
    .slice(0, limit)
}

const ownActions = (context: VenueContext, wallet: string, page: number, limit: number) =>
  ask(context, { path: `/users/${wallet}/events`, query: { page, limit }, body: MyriadTotal })

/** A wallet's actions on pools: rows like a pool's actions, plus the number of the market. */
async function fetchWalletTrades(
  context: VenueContext,
  wallet: string,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const parseAction = (row: unknown): ParsedTrade | null => {
    const { data } = MyriadOwnAction.safeParse(row)
    const marketId = data && marketIdOf({ networkId: data.networkId, model: 'amm', id: data.marketId })
    const trade = marketId === undefined ? null : mapAction(row, marketId)
    return trade === null || trade === 'no trade' ? trade : { ...trade, wallet }
  }
  const readPage = async (number: number) => {
    const answer = await ownActions(context, wallet, number, pageRows)
    const rows = readTape(context, answer?.data, { what: 'action', name: 'txId', read: parseAction })
    return { rows: tradesIn(rows), isLast: answer === null || number * pageRows >= answer.pagination.total }
  }
  return await readPageAfter({ first: 1, pagesMax, read: readPage }, page)
}

async function fetchWallet(context: VenueContext, wallet: string): Promise<WalletProfile | null> {
  const [newest, markets] = await Promise.all([
    ownActions(context, wallet, 1, 1),
    ask(context, { path: `/users/${wallet}/markets`, query: { page: 1, limit: 1 }, body: MyriadTotal }),
  ])
  const total = newest?.pagination.total ?? 0
  if (total === 0) return null
  const oldest = total === 1 ? newest : await ownActions(context, wallet, total, 1)
  return {
    displayName: null,
    stats: statsOf({
      marketsTraded: markets?.pagination.total ?? null,
      firstSeen: seenIn(oldest?.data[0]),
      lastSeen: seenIn(newest?.data[0]),
    }),
  }
}

function seenIn(row: unknown): string | null {
  const ms = timeOfEpoch(MyriadAction.safeParse(row).data?.timestamp, 's')
  return ms === null ? null : new Date(ms).toISOString()
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'Myriad: sizes are in the token of each market, so dollar figures are null; trades of order books do not say who made them, those of pools do; a wallet’s trades are those with pools.',
  ],
  fetchTrades,
  fetchHolders,
  walletFields: ['marketsTraded', 'firstSeen', 'lastSeen'],
  fetchWallet,
  fetchWalletTrades,
}
