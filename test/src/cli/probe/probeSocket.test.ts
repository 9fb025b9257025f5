import { expect, it } from 'vitest'
import { probeSocket } from '#cli/probe/probeSocket'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { OpenSocket } from '#net/socket'
import type { VenueStream } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const clock = new ManualClock(Date.parse('2026-11-29T12:00:00Z'))
const context: VenueContext = {
  venue: 'kalshi',
  http: { request: async () => ({ status: 200, headers: {}, body: {} }) },
  clock,
  log: silentLog,
  urls: {},
  credentials: null,
  signal: new AbortController().signal,
}
const session: ReturnType<VenueStream['open']> = { subscribe: () => ['subscribe'], receive: () => undefined } as never
const streamWith = (changed: Partial<typeof session>): VenueStream =>
  ({
    connect: () => ({ url: 'ws://127.0.0.1:1', headers: {} }),
    heartbeat: null,
    open: () => ({ ...session, ...changed }),
  }) as never
/** Opens and sends one frame. */
const openSocket: OpenSocket = (_url, _headers, events) => {
  setImmediate(() => {
    events.opened()
    events.frame(Buffer.from('{}'))
  })
  return { send: () => undefined, bufferedBytes: () => 0, close: () => undefined }
}
const fails = (): never => {
  throw new Error('an unexpected frame')
}

it.each([
  ['a subscription', { subscribe: fails }],
  ['a frame', { receive: fails }],
])('reports an adapter error at %s as the failure of this socket', async (_, changed) => {
  const { failure } = await probeSocket({
    stream: streamWith(changed),
    context,
    openSocket,
    clock,
    bookIds: ['a'],
    patienceMs: 1_000,
    read: async () => null,
  })
  expect(failure).toBe('an unexpected frame')
})
