import { beforeAll, describe, expect, it } from 'vitest'
import type { TriggerRule } from '#schemas/conditional'
import { type ConditionalOrders, openConditionalOrders, rule } from '#test/support/conditional/book'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
let book: ConditionalOrders
beforeAll(async () => {
  book = await openConditionalOrders(pg.pool)
})

const { price: _, ...base } = rule
const falling: TriggerRule = { ...base, when: 'at_or_below', trail: { by: 'price', distance: 0.05 } }
const at = new Date('2026-06-01T12:00:01.000Z')
const storedOf = async (id: string): Promise<number | null | undefined> =>
  (await book.store.listArmedOf([id]))[0]?.trail_best

describe('the best price of a trailing stop', () => {
  it('is unknown when it is armed, and read with the order afterwards', async () => {
    const { id } = await book.arm({ trigger: falling })
    expect(await storedOf(id)).toBeNull()
    expect(await book.store.saveBests([{ id, best: 1_200_001 }], at)).toEqual([{ id, best: 1_200_001 }])
    expect(await storedOf(id)).toBe(1_200_001)
    const all = await book.store.listArmed({ after: null, limit: 1_000 })
    expect(all.find((order) => order.id === id)?.trail_best).toBe(1_200_001)
    const { orders } = await book.store.changedSince({ since: '0', after: null, limit: 1_000 })
    expect(orders.find((order) => order.id === id)?.trail_best).toBe(1_200_001)
  })

  it('is the highest for one that sells below, and the lowest for one that buys above', async () => {
    const [below, above] = [
      await book.arm({ trigger: falling }),
      await book.arm({ trigger: { ...falling, when: 'at_or_above' } }),
    ]
    const save = (best: number) =>
      book.store.saveBests(
        [below, above].map(({ id }) => ({ id, best })),
        at,
      )
    await save(1_000_000)
    await save(1_100_000)
    const after = await save(1_050_000)
    const byId = new Map(after.map(({ id, best }) => [id, best]))
    expect([byId.get(below.id), byId.get(above.id)]).toEqual([1_100_000, 1_000_000])
    expect([await storedOf(below.id), await storedOf(above.id)]).toEqual([1_100_000, 1_000_000])
  })

  it('is the best of all when many processes save the same orders at once, in any order', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => book.arm({ trigger: falling })))
    const saves = Array.from({ length: 30 }, (_, i) => {
      const mine = orders.map(({ id }, j) => ({ id, best: 1_000_000 + ((i * 7 + j * 11) % 30) }))
      return book.store.saveBests(i % 2 === 0 ? mine : mine.toReversed(), at)
    })
    await Promise.all(saves)
    for (const { id } of orders) expect(await storedOf(id)).toBe(1_000_029)
  })

  it('is saved while the order is locked, since it locks no order', async () => {
    const { id } = await book.arm({ trigger: falling })
    const holder = await pg.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE', [id])
    try {
      await book.store.saveBests([{ id, best: 900_000 }], at)
      expect(await storedOf(id)).toBe(900_000)
    } finally {
      await holder.query('ROLLBACK')
      holder.release()
    }
  })

  it('is not kept for an order that does not trail, or of an earlier arming of the execution', async () => {
    const plain = await book.arm()
    expect(await book.store.saveBests([{ id: plain.id, best: 1 }], at)).toEqual([])
    const executionId = await book.execution()
    const first = await book.arm({ executionId, trigger: falling })
    await book.store.saveBests([{ id: first.id, best: 1_500_000 }], at)
    const second = await book.arm({ executionId, trigger: falling })
    expect(await storedOf(second.id)).toBeNull()
  })
})
