// Child process of tickToWire.ts: the real ingest actor, bus, hub and gateway between one venue socket and many subscribers. No stores.
import { spawnIngest } from '#actors/ingest/ingestActor'
import { start } from '#actors/system'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openSocket } from '#net/socket'
import type { Principal } from '#platform/auth/principal'
import { startBookDemand } from '#roles/liveBooks'
import { startVenueStatus } from '#roles/venueStatus'
import { startGateway } from '#server/gateway/gateway'
import { createLocalBus } from '#storage/bus/local'
import { startStream } from '#stream/server'
import { singleProcessLease } from '#test/support/lease'
import { polymarket } from '#venues/polymarket/index'

const [venueUrl = ''] = process.argv.slice(2)
const clock = systemClock
const log = silentLog
const bus = createLocalBus({
  onError: (error) => {
    throw error
  },
})
const principal: Principal = { accountId: 'bench', keyId: 'bench', plan: 'enterprise', scopes: ['read'] }
const status = await startVenueStatus(bus, ['polymarket'], clock)
const books = await startBookDemand(bus, status, clock)
const stream = await startStream({
  bus: books.streamBus,
  clock,
  log,
  auth: { verify: () => ({ kind: 'valid', principal }), recheck: () => ({ kind: 'valid', principal }) },
  catalog: { resolve: (_venue, bookId) => ({ bookId, complement: false }), resolveAll: () => 'not_supported' },
  books: books.cache,
  limitsOf: () => ({ streamConnections: 10_000, subscriptionsPerConnection: 10_000 }),
  gatewayId: 'bench',
})
const unreachable = () => Promise.reject(new Error('the bench has no REST'))
const ingest = spawnIngest(start(), {
  venue: polymarket,
  context: {
    venue: 'polymarket',
    http: { request: unreachable },
    clock,
    log,
    urls: { ...polymarket.urls, WS: venueUrl },
    credentials: null,
    signal: new AbortController().signal,
  },
  bus,
  clock,
  log,
  openSocket,
  random: Math.random,
  tickMs: 2,
  idleUnwatchMs: 60_000,
  bookSnapshotMs: 60_000,
  lease: singleProcessLease(clock.now()),
})
await bus.subscribe('demand', ({ gatewayId, marketIds }) => ingest.actor.send({ kind: 'demand', gatewayId, marketIds }))
const gateway = await startGateway({
  host: '127.0.0.1',
  port: 0,
  http: () => ({ status: 404, headers: {}, body: '' }),
  stream,
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000 })
})
process.send?.({ url: gateway.url })
