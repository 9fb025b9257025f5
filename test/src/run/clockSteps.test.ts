// Fault 40: somebody sets the machine's clock by an hour. Nothing here lives longer or shorter for it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ManualClock, systemClock } from '#lib/clock'
import { AsyncCache } from '#markets/memoizeAsync'
import { createHttpClient } from '#net/httpClient'
import { generateKey, hashKey } from '#platform/auth/keys'
import { createKeyVerifier } from '#platform/auth/verifier'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { startVenueStatus } from '#run/venueStatus'
import { createLocalBus } from '#storage/bus/local'
import { Backlog } from '#stream/backlog'
import { DemandKeeper } from '#stream/demand'
import { newAccount, spend, startProcess } from '#test/src/platform/credits/support'
import { withPostgres } from '#test/support/postgres'
import { healthOf } from '#test/support/venueHealth'

const hourMs = 3_600_000
const postgres = withPostgres()

describe.each([-hourMs, hourMs])('the wall’s clock is set by %i ms', (byMs) => {
  it('a revoked key is refused as soon as ever, a known one is not asked about earlier', async () => {
    const clock = new ManualClock()
    const key = generateKey()
    const sha256 = Buffer.from(hashKey(key), 'hex')
    let live = true
    let asked = 0
    const principal = { accountId: 'a', keyId: 'k', plan: 'pro', scopes: ['read'] } as const
    const find = async () => {
      asked++
      return { sha256, principal: { ...principal, scopes: ['read' as const] }, live }
    }
    const verifier = createKeyVerifier({ find, clock, cacheMs: 10_000 })
    await verifier.verify(key)
    live = false
    clock.step(byMs)
    clock.advance(9_999)
    expect([await verifier.verify(key), asked]).toEqual([expect.objectContaining({ kind: 'valid' }), 1])
    clock.advance(1)
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
  })

  it('a key at its rate limit comes back when its minute is over, and is told so', () => {
    const clock = new ManualClock()
    const limiter = createRateLimiter(clock)
    limiter.take('a', 1)
    clock.step(byMs)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
    clock.advance(60_000)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: true })
  })

  it('a lease of credits is used as long as it is ours', async () => {
    const { meter, clock } = startProcess(postgres.pool, { leaseTtlMs: 30_000, settleEveryMs: hourMs })
    const account = await newAccount(postgres.pool, 'free', 1_000)
    await spend(meter, account)
    clock.step(byMs)
    expect(meter.reserve(account, 1, 'read')).not.toBeInstanceOf(Promise)
    // Others may have it from here on: it is asked for anew.
    clock.advance(30_000)
    const waits = meter.reserve(account, 1, 'read')
    expect(waits).toBeInstanceOf(Promise)
    ;(await waits).keep()
    await meter.stop()
  })

  it('an answer kept in memory lives as long as it was given', () => {
    const clock = new ManualClock()
    const memory = new AsyncCache<string>(10, clock)
    memory.set('a', 'value', 1_000)
    clock.step(byMs)
    clock.advance(999)
    expect(memory.get('a')).toBe('value')
    clock.advance(1)
    expect(memory.get('a')).toBeUndefined()
  })

  it('a venue that was silent is not heard, one that speaks is', async () => {
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

  it('what a read wanted watched is let go of in time', () => {
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

  it('a socket that is behind is as slow as it is', () => {
    const clock = new ManualClock()
    const backlog = new Backlog()
    backlog.wrote(100, 100, clock.monotonic())
    clock.step(byMs)
    clock.advance(5_000)
    expect(backlog.ageMs(100, clock.monotonic())).toBe(5_000)
  })

  it('a venue is asked no later than its own limit says', async () => {
    const server = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const clock = new ManualClock()
    // The machine's own timers, beside a wall that steps.
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
