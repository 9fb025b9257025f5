// Fault 40: the system clock is set by an hour. No lifetime here gets longer or shorter because of it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Cache } from '#core/cache'
import { ManualClock, systemClock } from '#core/clock'
import { createHttpClient } from '#net/httpClient'
import { generateKey, hashKey } from '#platform/auth/keys'
import { createKeyVerifier } from '#platform/auth/verifier'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { startVenueStatus } from '#roles/venueStatus'
import { createLocalBus } from '#storage/bus/local'
import { Backlog } from '#stream/backlog'
import { DemandKeeper } from '#stream/demand'
import { newAccount, spend, startProcess } from '#test/src/platform/credits/support'
import { withPostgres } from '#test/support/postgres'
import { healthOf } from '#test/support/venueHealth'

const hourMs = 3_600_000
const postgres = withPostgres()

describe.each([-hourMs, hourMs])('the wall clock is set by %i ms', (byMs) => {
  it('rejects a revoked key no later than usual, and does not look up a known key earlier', async () => {
    const clock = new ManualClock()
    const key = generateKey()
    const sha256 = Buffer.from(hashKey(key), 'hex')
    let live = true
    let lookups = 0
    const principal = { accountId: 'a', keyId: 'k', plan: 'pro', scopes: ['read'] } as const
    const find = async () => {
      lookups++
      return { sha256, principal: { ...principal, scopes: ['read' as const] }, live }
    }
    const verifier = createKeyVerifier({ find, clock, cacheMs: 10_000 })
    await verifier.verify(key)
    live = false
    clock.step(byMs)
    clock.advance(9_999)
    expect([await verifier.verify(key), lookups]).toEqual([expect.objectContaining({ kind: 'valid' }), 1])
    clock.advance(1)
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
  })

  it('allows a rate-limited key again after its minute, with the right Retry-After', () => {
    const clock = new ManualClock()
    const limiter = createRateLimiter(clock)
    limiter.take('a', 1)
    clock.step(byMs)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
    clock.advance(60_000)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: true })
  })

  it('uses a credit lease until it expires', async () => {
    const { meter, clock } = startProcess(postgres.pool, { leaseTtlMs: 30_000, settleEveryMs: hourMs })
    const account = await newAccount(postgres.pool, 'free', 1_000)
    await spend(meter, account)
    clock.step(byMs)
    expect(meter.reserve(account, 1, 'read')).not.toBeInstanceOf(Promise)
    // From here on others may hold it, so it is requested again.
    clock.advance(30_000)
    const waits = meter.reserve(account, 1, 'read')
    expect(waits).toBeInstanceOf(Promise)
    ;(await waits).keep()
    await meter.stop()
  })

  it('keeps a cached value for its lifetime', () => {
    const clock = new ManualClock()
    const memory = new Cache<string>(10, { clock, forMs: 1_000 })
    memory.set('a', 'value')
    clock.step(byMs)
    clock.advance(999)
    expect(memory.get('a')).toBe('value')
    clock.advance(1)
    expect(memory.get('a')).toBeUndefined()
  })

  it('detects a silent venue, and keeps one that reports', async () => {
    const clock = new ManualClock()
    const bus = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
    const board = await startVenueStatus(bus, ['kalshi'], clock)
    bus.publish('health', 'kalshi', healthOf(clock, 'kalshi'))
    clock.step(byMs)
    expect(board.reporting()).toEqual([{ venue: 'kalshi', reporting: true }])
    clock.advance(10_001)
    expect(board.reporting()).toEqual([{ venue: 'kalshi', reporting: false }])
    await board.stop()
    await bus.close()
  })

  it('drops the demand of a read in time', () => {
    const clock = new ManualClock()
    const demand = new DemandKeeper({ bus: { publish: () => undefined }, clock, gatewayId: 'g' })
    demand.hold('kalshi', 'A', 30_000)
    clock.step(byMs)
    clock.advance(29_999)
    expect(demand.marketIds('kalshi')).toEqual(['A'])
    clock.advance(1)
    expect(demand.marketIds('kalshi')).toEqual([])
    demand.stop()
  })

  it('measures the backlog of a socket correctly', () => {
    const clock = new ManualClock()
    const backlog = new Backlog()
    backlog.wrote(100, 100, clock.monotonic())
    clock.step(byMs)
    clock.advance(5_000)
    expect(backlog.ageMs(100, clock.monotonic())).toBe(5_000)
  })

  it('sends requests to a venue no later than its rate limit allows', async () => {
    const server = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const clock = new ManualClock()
    // The system's own timers, with a wall clock that steps.
    const client = createHttpClient({
      venue: 'kalshi',
      requestsPerSecond: 1,
      clock: { ...systemClock, now: () => clock.now() },
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await client.request({ url })
    clock.step(byMs)
    expect((await client.request({ url })).status).toBe(200)
    await client.close()
    server.close()
  })
})
