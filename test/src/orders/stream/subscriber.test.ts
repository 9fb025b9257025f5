import { describe, expect, it } from 'vitest'
import { OrdersSubscriber, queueFramesMax } from '#orders/stream/subscriber'

function reader() {
  const received: string[] = []
  const socket = { takes: true }
  const subscriber = new OrdersSubscriber(
    {
      id: 1,
      principal: () => ({ accountId: 'a' }),
      offer(_topic, frame) {
        if (!socket.takes) return 'dropped'
        received.push(String(frame))
        return 'sent'
      },
    },
    'orders',
  )
  const publish = (text: string, change: { id: string; number: number } | null = null) =>
    subscriber.publish(Buffer.from(text), change)
  return {
    subscriber,
    socket,
    received,
    publish,
    begin: (known = new Map<string, number>()) => subscriber.begin([Buffer.from('snapshot')], known),
  }
}

describe('a subscriber', () => {
  it('gets nothing before its snapshot, and later only what the snapshot does not contain', () => {
    const { subscriber, received, publish, begin } = reader()
    publish('early')
    begin(new Map([['x', 7]]))
    publish('known', { id: 'x', number: 7 })
    publish('news', { id: 'x', number: 8 })
    publish('another', { id: 'y', number: 3 })
    subscriber.passed()
    publish('later', { id: 'x', number: 2 })
    expect(received).toEqual(['snapshot', 'news', 'another', 'later'])
  })

  it('that is slow gets the queued frames in order when it reads', () => {
    const { subscriber, socket, received, publish, begin } = reader()
    begin()
    socket.takes = false
    for (let i = 0; i < 3; i++) publish(`${i}`)
    expect(subscriber.isBehind).toBe(true)
    subscriber.drain()
    socket.takes = true
    // It follows the queued frames, although the socket has capacity again.
    publish('3')
    expect(received).toEqual(['snapshot'])
    subscriber.drain()
    expect(received).toEqual(['snapshot', '0', '1', '2', '3'])
    expect(subscriber.isBehind).toBe(false)
  })

  it('that is too slow gets an error and a new snapshot, and queues nothing meanwhile', () => {
    const { subscriber, socket, received, publish, begin } = reader()
    begin()
    socket.takes = false
    for (let i = 0; i <= queueFramesMax; i++) publish(`${i}`)
    expect([subscriber.waits, subscriber.isBehind]).toEqual(['behind', false])
    publish('lost')
    socket.takes = true
    begin()
    publish('next')
    expect(received).toEqual(['snapshot', 'snapshot', 'next'])
  })
})
