// Markets of a venue, page after page, and the book of one.
import { activeMarket, client } from './connect.ts'

const [exchange = 'kalshi'] = process.argv.slice(2)

const { market, book } = await activeMarket(exchange)
console.log('book', market.marketId, book.bids[0]?.price, book.asks[0]?.price)

let count = 0
for await (const { marketId } of client.paginate('fetchMarkets', { path: { exchange }, query: { limit: 5 } })) {
  if (count === 0) console.log('first', marketId)
  // The next page is requested when the rows of this one are used up.
  if (++count === 12) break
}
console.log('markets', count)
