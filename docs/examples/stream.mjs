// A raw WebSocket client: `npx node docs/examples/stream.mjs <venue> <marketId>`. Prints ten frames and exits.
const [venue, marketId] = process.argv.slice(2)
const url = process.env.URL ?? process.env.CROSSBOOK_URL ?? 'http://127.0.0.1:8080'
const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`)
let frames = 0

socket.onopen = () => {
  socket.send(JSON.stringify({ op: 'auth', apiKey: process.env.KEY }))
  socket.send(JSON.stringify({ op: 'subscribe', channel: 'orderbook', venue, marketId }))
  socket.send(JSON.stringify({ op: 'subscribe', channel: 'trades', venue, marketId }))
}
socket.onmessage = ({ data }) => {
  console.log(data)
  if (++frames === 10) socket.close()
}
socket.onerror = () => {
  console.error('the stream cannot be reached')
  process.exitCode = 1
}
