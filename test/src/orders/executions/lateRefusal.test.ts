// A claim that was committed after its caller had got an error is taken back, which is tried again while the database does not answer.
import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()

it('does not undo a later attempt with the same key', async () => {
  const relaying = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const takenBack = Promise.withResolvers<void>()
  const repeated = Promise.withResolvers<ExecutionRow | null>()
  let claims = 0
  let refusals = 0
  const lane = testLane()
  const { relay } = lane.submit!
  const world = await worldOf({
    lanes: [
      {
        ...lane,
        submit: {
          ...lane.submit!,
          async relay(...given) {
            relaying.resolve()
            await goOn.promise
            return relay(...given)
          },
        },
      },
    ],
    wrap: (store) => ({
      ...store,
      async claim(claim) {
        const claimed = await store.claim(claim)
        if (claims++ > 0 || claimed.kind !== 'claimed') return claimed
        claim.late(claimed.row)
        throw new Fault('EXEC_UNAVAILABLE', 'no answer')
      },
      async move(move, outcome) {
        if (move.event !== 'refused') return store.move(move, outcome)
        if (refusals++ === 0) {
          await store.move(move, outcome)
          takenBack.resolve()
          throw new Fault('EXEC_UNAVAILABLE', 'no answer')
        }
        await relaying.promise
        const moved = await store.move(move, outcome)
        repeated.resolve(moved)
        return moved
      },
    }),
  })
  const id = idOf(await world.build('build'))
  expect(refused(await world.submit(id, 'submit'))).toEqual([503, 'EXEC_UNAVAILABLE'])
  await takenBack.promise
  const second = world.submit(id, 'submit')
  expect(await repeated.promise).toBeNull()
  goOn.resolve()
  expect((await second).json.data.status).toBe('acked')
  const { rows } = await pg.pool.query(
    `SELECT outcome->>'kind' AS outcome FROM execution_keys WHERE execution_id = $1 AND kind = 'submit'`,
    [id],
  )
  expect([rows, world.venue.placed.length]).toEqual([[{ outcome: 'accepted' }], 1])
})
