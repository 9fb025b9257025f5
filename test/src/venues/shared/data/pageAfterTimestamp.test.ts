import { describe, expect, it } from 'vitest'
import type { TraderTrade } from '#schemas/traders'
import { readPageAfter } from '#venues/shared/data/pageAfterTimestamp'
import type { TradersPlace } from '#venues/traderData'

const row = (ts: number, tradeId = `t${ts}`): TraderTrade => ({
  ...{ venue: 'v', marketId: 'm', outcomeId: null, wallet: null, side: null, price: null, amount: null, usdSize: null },
  tradeId,
  ts,
})

/** A venue with pages of three. */
function venue(rows: TraderTrade[]) {
  const requestedPages: number[] = []
  return {
    requestedPages,
    rows,
    list: {
      first: 1,
      pagesMax: 3,
      async read(page: number) {
        requestedPages.push(page)
        return { rows: rows.slice((page - 1) * 3, page * 3), isLast: page * 3 >= rows.length }
      },
    },
  }
}
const ids = ({ rows }: { rows: TraderTrade[] }) => rows.map(({ tradeId }) => tradeId)
const newest = (count: number) => Array.from({ length: count }, (_, n) => row(count - n))

describe('a page after a row', () => {
  it('continues where the previous page ended, across the venue’s own pages', async () => {
    const { list, requestedPages } = venue(newest(10))
    const first = await readPageAfter(list, { limit: 4, after: null })
    expect(ids(first)).toEqual(['t10', 't9', 't8', 't7'])
    requestedPages.length = 0
    const second = await readPageAfter(list, { limit: 4, after: first.next })
    expect([ids(second), requestedPages]).toEqual([
      ['t6', 't5', 't4', 't3'],
      [2, 3],
    ])
    const third = await readPageAfter(list, { limit: 4, after: second.next })
    expect([ids(third), third.next]).toEqual([['t2', 't1'], null])
  })

  it('misses and repeats nothing while new rows are inserted at the front', async () => {
    const here = venue(newest(9))
    const seen: string[] = []
    let after: TradersPlace | null = null
    let late = 100
    do {
      const page: Awaited<ReturnType<typeof readPageAfter>> = await readPageAfter(here.list, { limit: 2, after })
      seen.push(...ids(page))
      after = page.next
      here.rows.unshift(row(late++), row(late++))
    } while (after !== null)
    expect(seen).toEqual(newest(9).map(({ tradeId }) => tradeId))
  })

  it('distinguishes rows of the same time by their ids', async () => {
    const { list } = venue([row(5, 'e'), row(5, 'd'), row(5, 'c'), row(5, 'b'), row(5, 'a')])
    const first = await readPageAfter(list, { limit: 2, after: null })
    expect([ids(first), ids(await readPageAfter(list, { limit: 9, after: first.next }))]).toEqual([
      ['e', 'd'],
      ['c', 'b', 'a'],
    ])
  })

  it('continues after a row that is gone', async () => {
    const here = venue(newest(6))
    const first = await readPageAfter(here.list, { limit: 2, after: null })
    here.rows.splice(1, 1)
    expect(ids(await readPageAfter(here.list, { limit: 9, after: first.next }))).toEqual(['t4', 't3', 't2', 't1'])
  })

  it('reads a limited number of pages and continues from there', async () => {
    const here = venue(newest(30))
    const page = await readPageAfter(here.list, { limit: 20, after: null })
    expect([ids(page).length, here.requestedPages]).toEqual([9, [1, 2, 3]])
    expect(ids(await readPageAfter(here.list, { limit: 1, after: page.next }))).toEqual(['t21'])
  })

  it('without any rows continues too', async () => {
    const nothing = {
      first: 1,
      pagesMax: 2,
      read: async (page: number) => ({ rows: [] as TraderTrade[], isLast: page === 3 }),
    }
    const page = await readPageAfter(nothing, { limit: 5, after: null })
    expect(page).toEqual({ rows: [], next: { page: 3, ts: 0, id: '' } })
    expect(await readPageAfter(nothing, { limit: 5, after: page.next })).toEqual({ rows: [], next: null })
  })
})
