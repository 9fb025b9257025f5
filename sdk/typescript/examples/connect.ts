// The service of `npm run demo`, unless CROSSBOOK_URL says another; KEY is the API key.
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@crossbook/client'

const { CROSSBOOK_URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey } = process.env
export const client = createClient({ baseUrl, apiKey, retry: { retries: 6 } })

/**
 * The most active market of a venue that has a book with bids and offers. A program that has just started is still reading its catalogs.
 */
export async function activeMarket(exchange: string) {
  for (let left = 40; left > 0; left--) {
    const found = await find(exchange)
    if (found !== null) return found
    await wait(1_000)
  }
  throw new Error(`${exchange} has no book with bids and offers right now`)
}

async function find(exchange: string) {
  const query = { status: 'active', limit: 20 } as const
  for await (const market of client.paginate('fetchMarkets', { path: { exchange }, query })) {
    const [outcome] = market.outcomes
    if (outcome === undefined) continue
    const of = { path: { exchange }, query: { outcomeId: outcome.outcomeId } }
    const { data: book } = await client.api.fetchOrderBook(of)
    if ('bids' in book && book.bids.length > 0 && book.asks.length > 0) return { market, outcome, book }
  }
  return null
}
