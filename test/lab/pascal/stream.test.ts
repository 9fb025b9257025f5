// The lab's socket, used as in the documentation of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { RecordingSocket } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'stream', venues: ['pascal'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

interface Frame {
  channel: string
  symbol: string
  type: string
  data: { bids: [string, string][]; asks: [string, string][] }
  seq: string
  state_time_ms: string
}

test('the first frame is the whole book, the others are changes; together they equal the venue’s book', async () => {
  const { pascal } = lab
  const { symbol, key } = pascal.listing.markets[0]!
  const socket = await RecordingSocket.open(pascal.urls.WS)
  socket.send({ type: 'subscribe', channels: [{ channel: 'book', symbol }] })
  await socket.until(() => socket.frames.length === 1)
  pascal.engine.run(key, 50)
  const truth = pascal.book(symbol)!
  const frames = () => socket.frames.map((text) => JSON.parse(text) as Frame)
  const levels = (side: 'bids' | 'asks') => {
    const held = new Map<string, string>()
    for (const { data } of frames()) for (const [price, size] of data[side]) held.set(price, size)
    return [...held].filter(([, size]) => size !== '0').sort()
  }
  const expected = (side: 'bids' | 'asks') =>
    truth[side].map(([micros, size]) => [(micros / 1e6).toFixed(6), String(size)]).sort()
  await socket.until(() => JSON.stringify(levels('bids')) === JSON.stringify(expected('bids')))
  await socket.until(() => JSON.stringify(levels('asks')) === JSON.stringify(expected('asks')))
  expect(frames()[0]).toMatchObject({
    channel: 'book',
    symbol,
    type: 'snapshot',
    state_time_ms: expect.stringMatching(/^\d+$/),
  })
  expect(
    new Set(
      frames()
        .slice(1)
        .map(({ type }) => type),
    ),
  ).toEqual(new Set(['update']))
  const numbers = frames().map(({ seq }) => Number(seq))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  socket.ws.close()
})

test('rejects an unknown symbol with its error code', async () => {
  const socket = await RecordingSocket.open(lab.pascal.urls.WS)
  socket.send('no JSON')
  socket.send({ type: 'subscribe', channels: [{ channel: 'book', symbol: 'NOSUCH.AAA' }] })
  await socket.until(() => socket.frames.length === 1)
  expect(JSON.parse(socket.frames[0]!)).toMatchObject({
    type: 'error',
    symbol: 'NOSUCH.AAA',
    data: { code: 'SYMBOL_NOT_FOUND' },
  })
  socket.ws.close()
})
