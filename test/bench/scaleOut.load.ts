// Child process of the scale-out bench: sockets that subscribe to markets and count the frames that arrive.
import { WebSocket } from 'ws'

export interface ScaleOrder {
  stream: string
  apiKey: string
  sockets: number
  markets: { venue: string; marketId: string }[]
}

let frames = 0
const sockets: WebSocket[] = []

function open({ stream, apiKey }: ScaleOrder, markets: ScaleOrder['markets']): Promise<void> {
  const socket = new WebSocket(stream, { headers: { authorization: `Bearer ${apiKey}` }, perMessageDeflate: false })
  sockets.push(socket)
  socket.on('message', () => frames++)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => {
      for (const market of markets) socket.send(JSON.stringify({ op: 'subscribe', channel: 'orderbook', ...market }))
      resolve()
    })
  })
}

/** Connections that are opened at the same time. */
const openingMax = 200

async function openAll(orders: readonly ScaleOrder[]): Promise<void> {
  for (const order of orders)
    for (let from = 0; from < order.sockets; from += openingMax)
      await Promise.all(
        Array.from({ length: Math.min(openingMax, order.sockets - from) }, (_, i) =>
          open(
            order,
            order.markets.filter((_market, n) => n % order.sockets === from + i),
          ),
        ),
      )
}

process.on('message', (order: ScaleOrder[] | 'count' | 'close') => {
  if (order === 'count') process.send!(frames)
  else if (order === 'close') {
    for (const socket of sockets.splice(0)) socket.terminate()
    process.send!(frames)
  } else void openAll(order).then(() => process.send!('open'))
})
