// Fault 29: a process killed with -9 at any point loses no delivery, and repeats one only under its own id.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { leaseMs } from '#actors/webhooks/deliveryBatch'
import { ManualClock } from '#core/clock'
import { createWebhookWorld } from '#test/src/platform/webhooks/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const main = fileURLToPath(new URL('./deliverer.main.ts', import.meta.url))

it.each([
  ['beforeFanOut', 0, 1],
  ['afterFanOut', 0, 1],
  ['afterClaim', 0, 1],
  ['beforeSend', 0, 1],
  ['beforeMark', 1, 2],
  ['afterMark', 1, 1],
] as const)(
  'killed with -9 at %s: received %i times by then and %i times in the end, under one id',
  async (stopAt, before, after) => {
    // The next process starts when the dead one's lease has expired.
    const clock = new ManualClock(Date.now() + 2 * leaseMs)
    const world = await createWebhookWorld(pg.pool, { clock })
    try {
      const endpoint = await world.endpoint('/hook')
      await world.emit('execution.status.changed', { status: 'acked' }, world.accountId)
      const child = spawn(process.execPath, [main, pg.url, world.receiver.hostPort, stopAt], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output] = (await once(child.stdout, 'data')) as [Buffer]
      expect(output.toString()).toBe(`at ${stopAt}\n`)
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(world.receiver.received).toHaveLength(before)
      world.deliveries()
      await world.settled()
      expect(await world.stored(endpoint.id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
      expect(world.receiver.received).toHaveLength(after)
      expect(new Set(world.receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
    } finally {
      await world.close()
    }
  },
  30_000,
)
