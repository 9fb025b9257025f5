// Tickers of reference feeds on the stream: `npx node docs/examples/feeds.mjs`. Prints a price of each feed and exits.
const url = process.env.URL ?? process.env.CROSSBOOK_URL ?? 'http://127.0.0.1:8080'
const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`)
const waiting = new Set(['binance', 'chainlink'])

socket.onopen = () => {
  socket.send(JSON.stringify({ op: 'auth', apiKey: process.env.KEY }))
  socket.send(JSON.stringify({ op: 'subscribeFeedTicker', feed: 'binance', symbol: 'BTC/USDT' }))
  socket.send(JSON.stringify({ op: 'subscribeFeedTicker', feed: 'chainlink', symbol: 'BTC/USD' }))
}
socket.onmessage = ({ data }) => {
  const frame = JSON.parse(data)
  if (frame.type === 'error') throw new Error(frame.message)
  if (frame.type !== 'feedTicker' || !waiting.delete(frame.feed)) return
  // No price: none is proven now.
  console.log(frame.feed, frame.symbol, frame.data.price ?? 'not proven', frame.data.provenance.source, frame.data.asOf)
  if (waiting.size === 0) socket.close()
}
socket.onerror = () => {
  console.error('the stream cannot be reached')
  process.exitCode = 1
}
