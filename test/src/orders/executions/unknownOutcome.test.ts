// What is logged of an outcome that is unknown for a reason of our own.
import { expect, it } from 'vitest'
import { createLog } from '#core/log'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf } from '#test/support/execution/suite'

const { worldOf } = executionSuite()

it.each([
  ['one plain line for a reason of our own', 'no node is configured', false],
  ['a stack for a failure', undefined, true],
] as const)('logs %s', async (_name, reason, hasStack) => {
  const lines: string[] = []
  const lane = testLane()
  const world = await worldOf({
    log: createLog('warn', { write: (line) => void lines.push(line) }),
    lanes: [
      {
        ...lane,
        submit: {
          ...lane.submit!,
          relay: async () => ({
            kind: 'unknown',
            cause: new Error('it broke'),
            ...(reason !== undefined && { reason }),
          }),
        },
      },
    ],
  })
  const id = idOf(await world.build('build'))
  expect((await world.submit(id, 'submit')).json.data.status).toBe('submitted')
  const own = lines.filter((line) => line.includes(id))
  expect(own).toHaveLength(1)
  expect([own[0]!.includes('"stack"'), own[0]!.includes('no node is configured')]).toEqual([hasStack, !hasStack])
})
