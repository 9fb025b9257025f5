import { describe, expect, it } from 'vitest'
import { OrdersSubscriber, queueFramesMax } from '#orders/subscriber'

function reader() {
  const heard: string[] = []
  const socket = { takes: true }
  const subscriber = new OrdersSubscriber(
    {
      id: 1,
      principal: () => ({ accountId: 'a' }),
      offer(_topic, frame) {
        if (!socket.takes) return 'dropped'
        heard.push(String(frame))
        return 'sent'
      },
    },
    'orders',
  )
  const tell = (text: string, change: { id: string; number: number } | null = null) =>
    subscriber.tell(Buffer.from(text), change)
  return {
    subscriber,
    socket,
    heard,
    tell,
    begin: (known = new Map<string, number>()) => subscriber.begin([Buffer.from('snapshot')], known),
  }
}

describe('a subscriber', () => {
  it('gets nothing before its snapshot, and later only what the snapshot does not contain', () => {
    const { subscriber, heard, tell, begin } = reader()
    tell('early')
    begin(new Map([['x', 7]]))
    tell('known', { id: 'x', number: 7 })
    tell('news', { id: 'x', number: 8 })
    tell('another', { id: 'y', number: 3 })
    subscriber.passed()
    tell('later', { id: 'x', number: 2 })
    expect(heard).toEqual(['snapshot', 'news', 'another', 'later'])
  })

  it('that is slow gets the queued frames in order when it reads', () => {
    const { subscriber, socket, heard, tell, begin } = reader()
    begin()
    socket.takes = false
    for (let i = 0; i < 3; i++) tell(`${i}`)
    expect(subscriber.isBehind).toBe(true)
    subscriber.drain()
    socket.takes = true
    // It follows the queued frames, although the socket has capacity again.
    tell('3')
    expect(heard).toEqual(['snapshot'])
    subscriber.drain()
    expect(heard).toEqual(['snapshot', '0', '1', '2', '3'])
    expect(subscriber.isBehind).toBe(false)
  })

  it('that is too slow gets an error and a new snapshot, and queues nothing meanwhile', () => {
    const { subscriber, socket, heard, tell, begin } = reader()
    begin()
    socket.takes = false
    for (let i = 0; i <= queueFramesMax; i++) tell(`${i}`)
    expect([subscriber.waits, subscriber.isBehind]).toEqual(['behind', false])
    tell('lost')
    socket.takes = true
    begin()
    tell('next')
    expect(heard).toEqual(['snapshot', 'snapshot', 'next'])
  })
})
