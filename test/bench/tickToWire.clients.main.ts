// Child process of tickToWire.stage.ts: the subscribers whose frames are read and discarded or, on request, not read at all.
import { type Subscriber, subscribe } from './tickToWire.clients.ts'

export type SubscriberCommand = { url: string; count: number } | { stalled: number }

const subscribers: Subscriber[] = []

async function join(url: string, count: number): Promise<void> {
  subscribers.push(...(await subscribe(url, count)))
}

process.on('message', (order: SubscriberCommand) => {
  if ('stalled' in order) {
    for (const [i, { socket }] of subscribers.entries()) i < order.stalled ? socket.pause() : socket.resume()
    process.send?.('done')
    return
  }
  join(order.url, order.count).then(
    () => process.send?.('done'),
    (error: unknown) => {
      throw error
    },
  )
})
