import { expect, it } from 'vitest'
import { SlotPool } from '#actors/firing/concurrencyLimits'

const turns = (count: number, account_id: string, venue: string) =>
  Array.from({ length: count }, () => ({ account_id, venue }))

it('gives an account at most a quarter of all slots and a venue half, and frees them when an order ends', () => {
  const pool = new SlotPool(32)
  expect(pool.admit(turns(400, 'a', 'one'))).toHaveLength(8)
  expect(pool.full()).toEqual({ accounts: ['a'], venues: [] })
  expect(pool.admit([...turns(9, 'b', 'one'), ...turns(9, 'c', 'one'), ...turns(1, 'd', 'two')])).toEqual([
    ...turns(8, 'b', 'one'),
    ...turns(1, 'd', 'two'),
  ])
  expect(pool.full()).toEqual({ accounts: ['a', 'b'], venues: ['one'] })
  pool.end({ account_id: 'a', venue: 'one' })
  expect(pool.full()).toEqual({ accounts: ['b'], venues: [] })
  expect(pool.admit(turns(2, 'c', 'one'))).toHaveLength(1)
})

it('gives a single slot to any account', () => {
  expect(new SlotPool(1).admit(turns(2, 'a', 'one'))).toHaveLength(1)
})
