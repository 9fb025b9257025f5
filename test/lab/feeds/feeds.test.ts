// The lab of reference feeds, tested through its own protocols by an independent client.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type FeedsLab, startFeedsLab } from '#lab/feeds/feeds'
import { getJson, RecordingSocket } from '#test/lab/clients'

let lab: FeedsLab
const clock = new ManualClock()
beforeAll(async () => {
  lab = await startFeedsLab({ clock, seed: 'lab' })
})
afterAll(() => lab.stop())

test('binance: windows by symbol or list, and none of an unlisted pair', async () => {
  const { REST } = lab.binance.urls
  const one = await getJson(`${REST}/api/v3/ticker/24hr?symbol=BTCUSDT`)
  expect(one.body).toMatchObject({
    symbol: 'BTCUSDT',
    lastPrice: lab.prices.price('BTC').toFixed(8),
    closeTime: clock.now(),
  })
  const many = await getJson(`${REST}/api/v3/ticker/24hr?symbols=${encodeURIComponent('["ETHUSDT","BTCUSDT"]')}`)
  expect((many.body as unknown as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTCUSDT'])
  for (const query of ['symbol=NOPE', `symbols=${encodeURIComponent('["BTCUSDT","NOPE"]')}`]) {
    const refused = await getJson(`${REST}/api/v3/ticker/24hr?${query}`)
    expect([refused.status, refused.body]).toEqual([400, { code: -1121, msg: 'Invalid symbol.' }])
  }
})

test('binance: acknowledges requests on a socket, and closes one with too many', async () => {
  const socket = await RecordingSocket.open(`${lab.binance.urls.WS}/stream?streams=btcusdt@ticker`)
  for (let id = 1; id <= 5; id++) socket.send({ method: 'SUBSCRIBE', params: ['ethusdt@ticker'], id })
  await socket.until(() => socket.frames.length === 5)
  expect(socket.messages()[0]).toEqual({ result: null, id: 1 })
  expect(lab.binance.counters().subscriptions).toEqual({ 'btcusdt@ticker': 1, 'ethusdt@ticker': 1 })
  socket.send({ method: 'SUBSCRIBE', params: ['solusdt@ticker'], id: 6 })
  await socket.until(() => socket.closed !== null)
  expect(socket.closed).toMatchObject({ code: 1008 })
})

test('leaves no timer when stopped', async () => {
  const other = new ManualClock()
  const stopped = await startFeedsLab({ clock: other, seed: 'lab' })
  await stopped.stop()
  expect(other.pendingCount).toBe(0)
})
