import { expect, it } from 'vitest'
import { changesBetween } from '#portfolio/stream/difference'
import { changeFrames, snapshotFrames } from '#portfolio/stream/frames'
import { rowsOf } from '#portfolio/stream/rows'
import { stateOf } from '#portfolio/stream/state'
import { PortfolioSubscriber, queueFramesMax, renewAfterMs } from '#portfolio/stream/subscriber'
import { portfolioOf, position, testPeer } from './support.ts'

const holding = (quantity: string) => stateOf(rowsOf(portfolioOf([position('a', quantity)])))
const snapshot = (quantity: string) => snapshotFrames(holding(quantity), { reason: 'subscribed', ts: 1 })
const change = (from: string, to: string) => changeFrames(changesBetween(holding(from), holding(to))!, 1)

function subscribed() {
  const { peer, received, socket } = testPeer()
  const subscriber = new PortfolioSubscriber(peer, 'portfolio')
  return { subscriber, received, socket, seqs: () => received.map(({ kind, seq }) => `${kind} ${seq}`) }
}

it('gets nothing before its snapshot, and then every change under the next number', () => {
  const { subscriber, seqs } = subscribed()
  subscriber.publish(change('1', '2'), 0)
  expect(subscriber.waits).toBe('subscribed')
  subscriber.begin(snapshot('2'), 0)
  subscriber.publish(change('2', '3'), 0)
  subscriber.publish(change('3', '4'), 0)
  expect(seqs()).toEqual(['snapshot 1', 'change 2', 'change 3'])
})

it('that is slow gets the queued changes in order when it reads', () => {
  const { subscriber, socket, seqs } = subscribed()
  subscriber.begin(snapshot('1'), 0)
  socket.takes = false
  subscriber.publish(change('1', '2'), 0)
  expect(subscriber.isBehind).toBe(true)
  socket.takes = true
  subscriber.publish(change('2', '3'), 0)
  expect(seqs()).toEqual(['snapshot 1'])
  subscriber.drain()
  expect(seqs()).toEqual(['snapshot 1', 'change 2', 'change 3'])
  expect(subscriber.isBehind).toBe(false)
})

it('that is too slow waits for a new snapshot, and queues nothing meanwhile', () => {
  const { subscriber, socket, received, seqs } = subscribed()
  subscriber.begin(snapshot('1'), 0)
  socket.takes = false
  for (let i = 0; i <= queueFramesMax; i++) subscriber.publish(change('1', '2'), 500)
  expect([subscriber.waits, subscriber.isBehind, subscriber.notBefore]).toEqual(['behind', false, 500 + renewAfterMs])
  subscriber.publish(change('1', '2'), 600)
  socket.takes = true
  subscriber.begin(snapshot('7'), 1_500)
  subscriber.publish(change('7', '8'), 1_600)
  const first = queueFramesMax + 3
  expect(seqs()).toEqual(['snapshot 1', `snapshot ${first}`, `change ${first + 1}`])
  expect(received[1]!.positions).toMatchObject([{ quantity: '7' }])
})
