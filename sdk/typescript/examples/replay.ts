// A day of a market's best bid and ask from the tape: over HTTP row by row, then on the stream as fast as it is read.
import { activeMarket, client } from './connect.ts'

const [venue = 'kalshi'] = process.argv.slice(2)
const { outcome } = await activeMarket(venue)
const until = Date.now()
const since = until - 86_400_000

let rows = 0
let last: { bid: number | null; ask: number | null } | undefined
for await (const row of client.replay({
  ...{ venue, outcomeId: outcome.outcomeId, kind: 'tob' },
  ...{ since: String(since), until: String(until), limit: '1000' },
})) {
  rows++
  last = row
}
console.log('rows', rows, 'last', last?.bid, last?.ask)

const stream = client.stream()
let frames = 0
const paced = stream.subscribeReplay({ markets: [{ venue, marketId: outcome.outcomeId }], since, until, speed: 'max' })
for await (const event of paced) {
  if (event.type === 'snapshot' || event.type === 'update' || event.type === 'trade') frames++
  if (event.type === 'replayEnd') console.log('replayed', frames, 'of', event.data.frames)
}
stream.close()
