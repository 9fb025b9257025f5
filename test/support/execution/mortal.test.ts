import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { around, mortally } from './mortal.ts'

test.each([
  [1, ['before BEGIN'], []],
  [2, ['before INSERT'], ['BEGIN']],
  [3, ['after BEGIN'], ['BEGIN', 'INSERT']],
  [0, [], ['BEGIN', 'INSERT']],
])('a job blocked at place %i of two pipelined statements sends none after it', async (stopAt, died, sent) => {
  const seen: string[] = []
  const places: string[] = []
  const query = around(
    (statement: string) => statement,
    async (statement: string) => void seen.push(statement),
  )
  mortally(
    stopAt,
    (place) => places.push(place),
    () => void Promise.all([query('BEGIN'), query('INSERT')]),
  )
  await turn()
  expect(places).toEqual(died)
  expect(seen).toEqual(sent)
})
