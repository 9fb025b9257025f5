import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type ListPage, nextOffset, reachesBack, readableRows, readPagedList } from '#venues/shared/exec/pagedList'

interface Row {
  id: string
  size: number
}
const row = (id: string, size = 1): Row => ({ id, size })
const idOf = ({ id }: Row) => id

function pages(...answers: (ListPage<Row> | null)[]) {
  return vi.fn(async (_cursor: string | null) => answers.shift() ?? null)
}

it('counts a row listed on two pages once', async () => {
  const read = pages({ rows: [row('a'), row('b')], cursor: '2' }, { rows: [row('b'), row('c')], cursor: '' })
  expect(await readPagedList({ read, idOf, pagesMax: 5 })).toMatchObject({
    rows: [row('a'), row('b'), row('c')],
    isWhole: true,
  })
  expect(read.mock.calls).toEqual([[null], ['2']])
})

it('keeps the later version of a row that changed between two pages', async () => {
  const read = pages({ rows: [row('a', 1)], cursor: '2' }, { rows: [row('a', 3)] })
  expect((await readPagedList({ read, idOf, pagesMax: 5 })).rows).toEqual([row('a', 3)])
})

it.each<[string, (ListPage<Row> | null)[], number]>([
  [
    'after the maximum number of pages',
    [
      { rows: [row('a')], cursor: '1' },
      { rows: [row('b')], cursor: '2' },
    ],
    2,
  ],
  [
    'at a repeated cursor',
    [
      { rows: [row('a')], cursor: '1' },
      { rows: [row('b')], cursor: '1' },
    ],
    9,
  ],
  ['because the venue has no such list', [null], 9],
])('a list that stops %s is incomplete', async (_, answers, pagesMax) => {
  const { isWhole } = await readPagedList({ read: pages(...answers), idOf, pagesMax })
  expect(isWhole).toBe(false)
})

it('is incomplete when a row is unreadable', async () => {
  const read = pages({ ...readableRows(z.object({ id: z.string(), size: z.number() }), [row('a'), { id: 5 }]) })
  expect(await readPagedList({ read, idOf, pagesMax: 5 })).toEqual({ rows: [row('a')], isWhole: false, unreadable: 1 })
})

it('stops at the requested row without reading the rest of the list', async () => {
  const read = pages({ rows: [row('a'), row('b')], cursor: '2' }, { rows: [row('c')] })
  const found = await readPagedList({ read, idOf, pagesMax: 5, isEnough: ({ id }) => id === 'b' })
  expect([found.isWhole, read.mock.calls.length]).toEqual([false, 1])
})

it('continues after the rows of a page, however few, and ends at an empty one', () => {
  expect([nextOffset(100, [1, 2, 3]), nextOffset(100, [1]), nextOffset(101, [])]).toEqual(['103', '101', null])
})

it('a list reaches back past a time if that is recent, or if it has an earlier row', () => {
  const day = 24 * 3_600_000
  const since = 1_000_000
  expect([
    reachesBack(since, [], since + day),
    reachesBack(since, [since, since + 5, Number.NaN], since + day + 1),
    reachesBack(since, [since - 1], since + day + 1),
  ]).toEqual([true, false, true])
})
