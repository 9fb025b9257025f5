// The peer of tickToWire.ts: the simplest program that does the job: `ws` in, JSON.parse, a sorted map, JSON.stringify, `ws` out.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

const [venueUrl = ''] = process.argv.slice(2)
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
await once(server, 'listening')
const sides = { BUY: new Map<string, string>(), SELL: new Map<string, string>() }
const levels = (side: Map<string, string>, sign: number) =>
  [...side]
    .map(([price, size]) => ({ price: Number(price), size: Number(size) }))
    .sort((a, b) => sign * (a.price - b.price))

let upstream: WebSocket | null = null
let latest: string | null = null
server.on('connection', (client) => {
  client.on('message', () => {
    if (latest !== null) client.send(latest)
    if (upstream !== null) return
    upstream = new WebSocket(venueUrl, { perMessageDeflate: false })
    upstream.on('open', () => upstream?.send('{"type":"market","assets_ids":["1"]}'))
    upstream.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.event_type === 'book') {
        for (const { price, size } of message.bids) sides.BUY.set(price, size)
        for (const { price, size } of message.asks) sides.SELL.set(price, size)
      } else {
        for (const { side, price, size } of message.price_changes) sides[side as 'BUY'].set(price, size)
      }
      const frame = JSON.stringify({
        type: 'update',
        venue: 'polymarket',
        marketId: '1',
        ts: Date.now(),
        data: { bids: levels(sides.BUY, -1), asks: levels(sides.SELL, 1), timestamp: Number(message.timestamp) },
      })
      latest = frame
      for (const socket of server.clients) socket.send(frame)
    })
  })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000 })
})
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
