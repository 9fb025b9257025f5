// Follows a book and its trades on one socket. Reconnects, gaps and stale data are events like any other.
import { activeMarket, client } from './connect.ts'

const [venue = 'kalshi', updates = '3'] = process.argv.slice(2)
const { market } = await activeMarket(venue)
const stream = client.stream({ onEvent: (event) => event.type === 'down' && console.error('away:', event.reason) })

const trades = stream.subscribeTrades({ venue, marketId: market.marketId })
void (async () => {
  for await (const event of trades)
    if (event.type === 'trade') console.log('trade', event.data.type, event.data.shares, event.data.price)
})()

let left = Number(updates)
for await (const event of stream.subscribeBook({ venue, marketId: market.marketId, depth: 5 })) {
  if (event.type === 'subscribed') console.log('subscribed', event.ack.outcomeId)
  if (event.type === 'gap') console.log('missed', event.missed)
  if (event.type === 'stale') console.log('stale:', event.reason)
  if (event.type !== 'book') continue
  console.log('book', event.kind, event.sequence, event.book.bids[0]?.price, event.book.asks[0]?.price)
  if (--left === 0) break
}
stream.close()
