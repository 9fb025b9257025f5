// Receivers that come and go, pauses, new secrets, processes that die at work and time jumps, in random order. No event is lost or sent
// under two ids, and no receiver gets more attempts than the schedule and the deaths allow.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leaseMs } from '#actors/webhooks/deliveryBatch'
import { ManualClock } from '#core/clock'
import { attemptsMax, retryAfterMs } from '#platform/webhooks/index'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import { createWebhookWorld } from '#test/src/platform/webhooks/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const endpointCount = 4
const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 60 : 6

const word = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('tell' as const), events: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mood' as const),
      endpoint: fc.nat(endpointCount - 1),
      response: fc.constantFrom<200 | 500 | 'cut'>(200, 200, 500, 'cut'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(100, 1_000, leaseMs, 60_000, 300_000, 1_800_000, 7_200_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('active' as const),
      endpoint: fc.nat(endpointCount - 1),
      active: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate' as const), endpoint: fc.nat(endpointCount - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), endpoint: fc.nat(endpointCount - 1) }) },
)

it('delivers or fails every event at every endpoint that stayed, under one id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 10, maxLength: 40 }), async (script) => {
      const clock = new ManualClock(Date.now())
      const world = await createWebhookWorld(pg.pool, { clock })
      try {
        const endpoints = []
        for (let i = 0; i < endpointCount; i++) endpoints.push(await world.endpoint(`/${i}`, ['ingest.run.completed']))
        const deleted = new Set<number>()
        const store = createDeliveryStore(pg.pool)
        const living: { dead: boolean; stop(): Promise<void> }[] = []
        let deaths = 0
        const born = (): void => {
          const one = { dead: false, stop: () => Promise.resolve() }
          const unlessDead = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
            return (...args: A): Promise<R> => (one.dead ? Promise.reject(new Error('dead')) : work(...args))
          }
          const spawned = world.deliveries({
            store: { ...store, mark: unlessDead(store.mark), release: unlessDead(store.release) },
          })
          one.stop = () => spawned.stop()
          living.push(one)
        }
        const setActive = (id: string, active: boolean) =>
          world.http.call('PATCH', `/v1/webhooks/${id}`, { body: JSON.stringify({ active }) })
        const pass = async (ms: number): Promise<void> => {
          await world.settled()
          clock.advance(ms)
          await world.settled()
        }
        born()
        born()
        let eventCount = 0
        for (const step of script) {
          if (step.kind === 'tell') {
            for (let i = 0; i < step.events; i++) await world.emit('ingest.run.completed', { n: eventCount++ }, null)
          } else if (step.kind === 'mood') world.receiver.behaviors.set(`/${step.endpoint}`, step.response)
          else if (step.kind === 'pass') await pass(step.ms)
          else if (step.kind === 'active') await setActive(endpoints[step.endpoint]!.id, step.active)
          else if (step.kind === 'rotate')
            await world.http.post(`/v1/webhooks/${endpoints[step.endpoint]!.id}/rotate`, undefined)
          else if (step.kind === 'delete') {
            if (deleted.size > 1 || deleted.has(step.endpoint)) continue
            deleted.add(step.endpoint)
            await world.http.call('DELETE', `/v1/webhooks/${endpoints[step.endpoint]!.id}`)
          } else {
            // Dies without writing what it does at the next step of the clock.
            const victim = living.shift()!
            victim.dead = true
            clock.advance(100)
            await world.settled()
            await victim.stop()
            deaths++
            born()
          }
        }
        world.receiver.behaviors.clear()
        for (const { id } of endpoints) await setActive(id, true)
        for (const waitMs of [100, leaseMs, ...retryAfterMs, leaseMs, ...retryAfterMs, 100]) await pass(waitMs)

        const rows = await world.stored()
        const stayed = endpoints.filter((_, i) => !deleted.has(i))
        for (const { id, url } of stayed) {
          const mine = rows.filter(({ endpoint_id }) => endpoint_id === id)
          expect(mine.length, 'one delivery per event').toBe(eventCount)
          for (const row of mine) {
            const received = world.receiver.received.filter(({ headers }) => headers['x-service-delivery'] === row.id)
            expect(['delivered', 'failed']).toContain(row.status)
            if (row.status === 'failed') expect(row.attempts).toBe(attemptsMax)
            expect(received.length).toBeGreaterThanOrEqual(row.attempts)
            expect(received.length).toBeLessThanOrEqual(row.attempts + deaths)
            expect(new Set(received.map(({ path }) => path))).toEqual(new Set([new URL(url).pathname]))
            expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1)
          }
        }
        expect(rows.filter(({ endpoint_id }) => !stayed.some(({ id }) => id === endpoint_id))).toEqual([])
      } finally {
        await world.close()
      }
    }),
    { numRuns: runs },
  )
}, 300_000)
