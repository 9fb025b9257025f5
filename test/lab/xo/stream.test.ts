// The lab's socket, used as by a client of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { type Json, RecordingSocket } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'stream', venues: ['xo'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const booksOf = (socket: RecordingSocket) =>
  socket.frames.map((text) => JSON.parse(text) as { event_type: string; asset_id: string; bids: Json[]; asks: Json[] })

test('a subscription with a dump gets the whole book at once, and again whenever it changes', async () => {
  const { xo } = lab
  const { id, key, tokens } = xo.listing.markets[0]!
  const socket = await RecordingSocket.open(xo.urls.WS)
  socket.send({ type: 'market', assets_ids: [tokens[1]], initial_dump: true })
  await socket.until(() => socket.frames.length === 1)
  const truth = xo.book(`${id}.${tokens[1]}`)!
  expect(booksOf(socket)[0]).toMatchObject({ event_type: 'book', asset_id: tokens[1] })
  expect(booksOf(socket)[0]!.bids.at(-1)).toEqual({
    price: String(truth.bids[0]![0] / 1e6),
    size: String(truth.bids[0]![1]),
  })
  xo.engine.run(key, 5)
  await socket.until(() => socket.frames.length > 1)
  const newest = xo.book(`${id}.${tokens[1]}`)!
  expect(booksOf(socket).at(-1)!.asks).toHaveLength(newest.asks.length)
  expect(new Set(booksOf(socket).map(({ asset_id }) => asset_id))).toEqual(new Set([tokens[1]]))
  socket.ws.close()
})

test('without a dump nothing is sent before a change; more can be requested on the same socket', async () => {
  const { xo } = lab
  const [one, two] = xo.listing.markets
  const socket = await RecordingSocket.open(xo.urls.WS)
  socket.send('no JSON')
  socket.send({ type: 'market', assets_ids: [one!.tokens[0], 'nobody'] })
  socket.send({ type: 'market', assets_ids: [two!.tokens[0]], initial_dump: true })
  await socket.until(() => socket.frames.length === 1)
  expect(booksOf(socket)[0]!.asset_id).toBe(two!.tokens[0])
  xo.engine.run(one!.key, 5)
  await socket.until(() => booksOf(socket).some(({ asset_id }) => asset_id === one!.tokens[0]))
  socket.ws.close()
})
