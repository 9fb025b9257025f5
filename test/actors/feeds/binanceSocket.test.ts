// The connection to Binance's streams: what it requests and how often, and how it handles failures of the other side.
import { expect, it } from 'vitest'
import { BinanceSocket, silentMs } from '#actors/feeds/binanceSocket'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { handSockets, windowOf } from './sockets.ts'

function start() {
  const clock = new ManualClock()
  const { openSocket, sockets, last } = handSockets()
  const windows: string[] = []
  const socket = new BinanceSocket({
    url: 'ws://binance',
    openSocket,
    clock,
    log: silentLog,
    random: () => 0.5,
    onWindow: (window) => windows.push(`${window.s} ${window.c}`),
  })
  const want = (...ids: string[]): void => socket.want(new Set(ids))
  const open = (...ids: string[]): void => {
    want(...ids)
    clock.advance(0)
    last().opened()
  }
  return { clock, socket, sockets, last, windows, want, open }
}

it('connects when a symbol is wanted, subscribes to further ones, and closes when none is', () => {
  const { clock, sockets, last, windows, want, open, socket } = start()
  clock.advance(60_000)
  expect(sockets).toHaveLength(0)
  open('BTCUSDT')
  expect(last().url).toBe('ws://binance/stream?streams=btcusdt@ticker')
  last().deliver(windowOf('BTCUSDT', '96000.5', 1))
  want('ETHUSDT', 'SOLUSDT')
  clock.advance(500)
  expect(last().sent.map(({ method, params }) => [method, params])).toEqual([
    ['SUBSCRIBE', ['ethusdt@ticker', 'solusdt@ticker']],
    ['UNSUBSCRIBE', ['btcusdt@ticker']],
  ])
  last().deliver({ result: null, id: 1 })
  last().deliver(windowOf('ETHUSDT', '3400', 1))
  expect(windows).toEqual(['BTCUSDT 96000.5', 'ETHUSDT 3400'])
  want()
  expect([last().isClosed, socket.isOpen, sockets.length]).toEqual([true, false, 1])
})

it('subscribes to symbols that became wanted while it connected', () => {
  const { clock, last, want } = start()
  want('BTCUSDT')
  clock.advance(0)
  want('BTCUSDT', 'ETHUSDT')
  last().opened()
  expect(last().sent).toEqual([{ method: 'SUBSCRIBE', params: ['ethusdt@ticker'], id: 1 }])
})

it('sends at most five messages a second, however often the wanted set changes', () => {
  const { clock, last, open, want } = start()
  open('A')
  const times: number[] = []
  for (let step = 0; step < 3_000; step++) {
    want(...(step % 7 < 3 ? ['A', 'B'] : ['C']))
    if (step % 100 === 0) last().deliver(windowOf('A', '1', clock.now()))
    clock.advance(10)
    while (times.length < last().sent.length) times.push(clock.now())
  }
  expect(times.length).toBeGreaterThan(20)
  for (const [n, at] of times.entries()) if (n >= 5) expect(at - times[n - 5]!).toBeGreaterThanOrEqual(1_000)
})

it.each<[string, (last: ReturnType<typeof start>['last'], clock: ManualClock) => void]>([
  ['ended', (last) => last().end()],
  ['about to close', (last) => last().deliver({ e: 'serverShutdown', E: 1 })],
  [
    'about to close, according to a stream message',
    (last) => last().deliver({ stream: '', data: { e: 'serverShutdown', E: 1 } }),
  ],
  ['refusing', (last) => last().deliver({ error: { code: 2, msg: 'Invalid request' }, id: 1 })],
  ['silent', (_, clock) => clock.advance(silentMs * 2)],
])('reconnects with the wanted symbols when a connection is %s', (_, spoil) => {
  const { clock, sockets, last, windows, open } = start()
  open('BTCUSDT')
  const first = last()
  spoil(last, clock)
  clock.advance(2_000)
  expect(sockets.length).toBe(2)
  expect(last().url).toBe('ws://binance/stream?streams=btcusdt@ticker')
  last().opened()
  first.deliver(windowOf('BTCUSDT', '1', 1))
  first.end()
  last().deliver(windowOf('BTCUSDT', '2', 1))
  expect(windows).toEqual(['BTCUSDT 2'])
})

it('keeps a connection that delivers windows, whatever other messages arrive', () => {
  const { clock, sockets, last, windows, open } = start()
  open('BTCUSDT')
  for (let second = 0; second < 100; second++) {
    clock.advance(1_000)
    for (const noise of ['<html>', '[]', 'null', '{"stream":1}', '{"e":"24hrTicker"}', 'x'.repeat(100_000), '"text"'])
      last().deliver(noise)
    last().deliver(windowOf('BTCUSDT', 'NaN', clock.now()))
    last().deliver(windowOf('BTCUSDT', '5', clock.now()))
  }
  expect([sockets.length, windows.length]).toEqual([1, 100])
})

it('does not keep a connection that delivers no windows', () => {
  const { clock, sockets, last, open } = start()
  open('BTCUSDT')
  for (let second = 0; second < 25; second++) {
    clock.advance(1_000)
    if (sockets.length === 1) last().deliver('{"result":null,"id":1}')
  }
  expect(sockets.length).toBeGreaterThan(1)
})

it('retries a server that refuses connections with growing delays, far below its limit', () => {
  const { clock, sockets, last, want } = start()
  want('BTCUSDT')
  let ended = 0
  for (let step = 0; step < 300_000; step += 100) {
    clock.advance(100)
    while (ended < sockets.length) {
      last().end('refused')
      ended++
    }
  }
  expect(sockets.length).toBeGreaterThan(8)
  expect(sockets.length).toBeLessThan(30)
})

it('sends nothing and leaves no timer after it was stopped', () => {
  const { clock, socket, sockets, last, open, want } = start()
  open('BTCUSDT')
  last().end()
  socket.stop()
  want('ETHUSDT')
  clock.advance(60_000)
  expect([sockets.length, clock.pendingCount]).toEqual([1, 0])
})
