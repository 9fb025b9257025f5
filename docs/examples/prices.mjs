// Option prices on the stream: `npx node docs/examples/prices.mjs rain`. Prints the prices of the pool of the venue's most traded market,
// then the first reading that a log caused, and exits.
const venue = process.argv[2] ?? 'rain'
const url = process.env.URL ?? process.env.CROSSBOOK_URL ?? 'http://127.0.0.1:8080'
const headers = { authorization: `Bearer ${process.env.KEY}` }
const answer = await fetch(`${url}/api/${venue}/fetchMarkets?limit=100&sort=volume`, { headers })
const { data } = await answer.json()
const pool = data.find(({ sourceMetadata }) => sourceMetadata.synthetic === true)
const subscription = { op: 'subscribePrice', venue, marketId: pool.marketId, marketAddress: pool.contractAddress }

const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`)
socket.onopen = () => {
  socket.send(JSON.stringify({ op: 'auth', apiKey: process.env.KEY }))
  socket.send(JSON.stringify(subscription))
}
socket.onmessage = (message) => {
  const frame = JSON.parse(message.data)
  if (frame.type === 'error') throw new Error(frame.message)
  if (frame.type !== 'price') return
  const { prices, triggeredBy, asOfISO } = frame.data
  const cause = triggeredBy === null ? 'read' : `${triggeredBy.eventName} in block ${triggeredBy.blockNumber}`
  console.log(asOfISO, cause, ...prices.map(({ label, price01 }) => `${label}: ${price01}`))
  if (triggeredBy !== null) socket.close()
}
socket.onerror = () => {
  console.error('the stream cannot be reached')
  process.exitCode = 1
}
