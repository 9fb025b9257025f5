// Pascal's public reads, raw. No key. Unknown things are absent from the list. https://docs.pascal.trade
import type { z } from 'zod'
import { type Read, read, readKnown } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import { PascalAccountOrders, PascalBooks, PascalMarkets, PascalRefusal, PascalTrades } from '../wire.ts'

export const booksPerRequest = 50
export const tradesMax = 500
const catalogTimeoutMs = 60_000

/** No 404 of the venue is documented: such an answer does not come from it. */
const ask = <S extends z.ZodType>(context: VenueContext, request: Omit<Read<S>, 'isUnknown'>): Promise<z.output<S>> =>
  readKnown(context, { ...request, isUnknown: () => false } as Read<S>)

/** All of them in one response. */
export const getMarkets = (context: VenueContext) =>
  ask(context, { path: '/api/v1/markets', timeoutMs: catalogTimeoutMs, body: PascalMarkets })

/** Including resolved ones. */
export const searchMarkets = (context: VenueContext, send: { symbols: string[] } | { events: string[] }) =>
  ask(context, { method: 'POST', path: '/api/v1/markets/search', send, body: PascalMarkets })

export const getBooks = (context: VenueContext, symbols: readonly string[]) =>
  ask(context, { path: '/api/v1/books', query: { symbols: symbols.join(',') }, body: PascalBooks })

/** Newest first. There is no filter by time. */
export const getTrades = (context: VenueContext, symbol: string, limit: number) =>
  ask(context, { path: '/api/v1/trades', query: { symbols: symbol, limit }, body: PascalTrades })

/** Null only in the venue's own words: it has no such account. */
export const getAccount = (context: VenueContext, owner: string) =>
  read(context, {
    path: `/api/v1/accounts/${owner}`,
    body: PascalAccountOrders,
    isUnknown: ({ status, body }) => status === 404 && PascalRefusal.safeParse(body).success,
  })
