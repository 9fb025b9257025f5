// Fault 29: a thousand receivers that accept a delivery and never respond do not delay those that do. Measured in polls of the manual
// clock, not in seconds of this machine: events are received with the next poll, while every tar pit still hangs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defaultPace } from '#actors/webhooks/deliveryActor'
import { ManualClock, type Timer } from '#core/clock'
import { attemptTimeoutMs, createGuard, createSecretBox, newSecret } from '#platform/webhooks/index'
import { type Receiver, startReceiver } from '#test/src/platform/webhooks/receiver'
import { createWebhookWorld, type WebhookWorld } from '#test/src/platform/webhooks/world'
import { withPostgres } from '#test/support/postgres'

const tarPits = 1_000
const healthy = 20
/** Different from any other delay of the deliveries, so that the timer of the next poll can be recognized. */
const pollMs = 37
const patient = { timeout: 25_000, interval: 5 }

class WatchedClock extends ManualClock {
  polls = 0
  override after(delayMs: number, run: () => void): Timer {
    if (delayMs !== pollMs) return super.after(delayMs, run)
    this.polls++
    let over = false
    const end = (): void => {
      if (!over) this.polls--
      over = true
    }
    const timer = super.after(delayMs, () => {
      end()
      run()
    })
    return {
      cancel: () => {
        end()
        timer.cancel()
      },
    }
  }
}

const pg = withPostgres()
const clock = new WatchedClock(Date.now())
let world: WebhookWorld
let pit: Receiver
beforeAll(async () => {
  pit = await startReceiver()
  pit.behavior = 'hang'
  world = await createWebhookWorld(pg.pool, { clock })
})
afterAll(async () => {
  await pit.close()
  // Closes whatever still hangs.
  const closing = world.close()
  await vi.waitFor(() => clock.advance(1_000), patient)
  await closing
}, 60_000)

const nextLook = async (): Promise<void> => {
  await vi.waitFor(() => expect(clock.polls).toBe(1), patient)
  clock.advance(pollMs)
}
const receivedPaths = (event: number): string[] =>
  world.receiver.received.filter(({ raw }) => JSON.parse(raw.toString()).n === event).map(({ path }) => path)

it('a thousand tar pits: every responsive receiver gets each event with the next poll', async () => {
  const allowed = new Set([world.receiver.hostPort, pit.hostPort])
  const guard = createGuard({ resolve: async () => [], allowed })
  for (let i = 0; i < healthy; i++) await world.endpoint(`/${i}`, ['ingest.run.completed'])
  const deliveries = world.deliveries({
    attempt: { ...world.attempt, guard },
    pace: { ...defaultPace, pollMs },
  })
  const publishToAll = async (n: number): Promise<void> => {
    await world.emit('ingest.run.completed', { n }, null)
    await nextLook()
    const at = clock.now()
    await vi.waitFor(() => {
      expect(receivedPaths(n)).toHaveLength(healthy)
      // Our side has received the response, too, before time passes.
      expect(deliveries.stats().delivered).toBe(healthy * (n + 1))
    }, patient)
    expect(new Set(receivedPaths(n)).size).toBe(healthy)
    expect(clock.now(), 'no further time was needed').toBe(at)
  }
  await publishToAll(0)

  const box = createSecretBox(Buffer.alloc(32, 3))
  const ids = Array.from({ length: tarPits }, () => randomUUID())
  await pg.pool.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, secret_sealed, created_at)
     SELECT id, $2, $3 || id, ARRAY['ingest.run.completed'], sealed, now() FROM unnest($1::uuid[], $4::bytea[]) AS t (id, sealed)`,
    [ids, world.accountId, `${pit.origin}/`, ids.map((id) => box.seal(id, newSecret()))],
  )
  // They are new, and as many as allowed are connected at once.
  await publishToAll(1)
  await vi.waitFor(() => expect(pit.received.length).toBe(defaultPace.slots.new.young), patient)
  // Attempts that no longer count as young free slots for more, up to the total.
  for (let i = 0; i < 20; i++) await nextLook()
  await vi.waitFor(() => {
    clock.advance(1)
    expect(pit.received.length).toBe(defaultPace.slots.new.total)
  }, patient)
  await publishToAll(2)
  expect(deliveries.stats().working).toBeGreaterThanOrEqual(defaultPace.slots.new.total)

  // Their attempts time out; the rest of them follow, and all are known as slow now.
  clock.advance(attemptTimeoutMs)
  await publishToAll(3)
  for (let i = 0; i < 20; i++) await nextLook()
  await vi.waitFor(() => expect(pit.received.length).toBeGreaterThan(tarPits), patient)
  await publishToAll(4)

  // They do not delay a new endpoint, either.
  clock.advance(attemptTimeoutMs)
  await nextLook()
  const { rows } = await pg.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhook_endpoints WHERE standing = 'bad'`,
  )
  expect(rows[0]!.n).toBeGreaterThan(defaultPace.slots.new.total / 2)
  await publishToAll(5)
  expect(world.receiver.received).toHaveLength(6 * healthy)
}, 120_000)
