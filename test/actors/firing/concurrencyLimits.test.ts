import { expect, it } from 'vitest'
import { SlotPool } from '#actors/firing/concurrencyLimits'

const turns = (count: number, account_id: string, venue: string) =>
  Array.from({ length: count }, () => ({ account_id, venue }))

it('an account has a quarter of all turns at most, a venue half, and what ends makes room', () => {
  const room = new SlotPool(32)
  expect(room.admit(turns(400, 'a', 'one'))).toHaveLength(8)
  expect(room.full()).toEqual({ accounts: ['a'], venues: [] })
  expect(room.admit([...turns(9, 'b', 'one'), ...turns(9, 'c', 'one'), ...turns(1, 'd', 'two')])).toEqual([
    ...turns(8, 'b', 'one'),
    ...turns(1, 'd', 'two'),
  ])
  expect(room.full()).toEqual({ accounts: ['a', 'b'], venues: ['one'] })
  room.end({ account_id: 'a', venue: 'one' })
  expect(room.full()).toEqual({ accounts: ['b'], venues: [] })
  expect(room.admit(turns(2, 'c', 'one'))).toHaveLength(1)
})

it('where there is one turn anybody may have it', () => {
  expect(new SlotPool(1).admit(turns(2, 'a', 'one'))).toHaveLength(1)
})
