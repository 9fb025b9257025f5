// Processes that are killed with -9 at many points of a submit under a limit: what they claimed counts, and nothing else does.
import { expect, it } from 'vitest'
import { killAmid } from '#test/support/execution/killedProcess'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { pg, worldOf, count } = executionSuite()
/** Awaits at which the submits of one process stop, far apart: claims of one account wait for each other. */
const stops = [0, 1, 2, 3, 4, 5].map((n) => [1 + 2 * n, 13 + 2 * n, 25 + 2 * n])

it('frees nothing that may have left, and counts nothing twice', async () => {
  const world = await worldOf()
  const orders = limitedOrders(world)
  await orders.set('openOrders', '1000')
  const where = { databaseUrl: pg.url, venueUrl: world.venue.url, accountId: world.accountId }
  for (const ofProcess of stops) {
    const jobs = await Promise.all(
      ofProcess.map(async (stopAt) => ({
        name: String(stopAt),
        verb: 'submit' as const,
        key: `killed ${stopAt}`,
        executionId: idOf(await orders.build({ size: 1 })),
        body: { apiSecret: 'secret' },
        stopAt,
      })),
    )
    await killAmid(where, jobs)
  }
  // Resolves once every claim of the killed processes has ended.
  await orders.set('openOrders', '0')
  const claimed = await count(`executions WHERE account_id = $1 AND status IN ('submitted', 'acked')`, [
    world.accountId,
  ])
  expect(claimed).toBeGreaterThan(0)
  expect(claimed).toBeLessThan(stops.flat().length)
  const { data } = (await world.get('/v1/exec/risk-limits')).json
  expect(data).toMatchObject([{ kind: 'openOrders', used: String(claimed) }])
  await orders.set('openOrders', String(claimed + 1))
  expect((await orders.place({ size: 1 })).status).toBe(200)
  expect(refused(await orders.place({ size: 1 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
}, 120_000)
