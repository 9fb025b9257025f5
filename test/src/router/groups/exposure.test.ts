import { describe, expect, it } from 'vitest'
import { balancesOf, completed, remainingOf } from '#router/groups/exposure'
import { statusOf } from '#router/groups/groupView'
import type { LegState } from '#router/groups/legState'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'

const state = (position: number, filled: string | null, more: Partial<RouterLegRow> = {}, ended = true): LegState => ({
  leg: { position, component: 0, is_buy: true, closes_position: null, ...more } as RouterLegRow,
  execution: {} as never,
  isPending: false,
  isSent: true,
  hasEnded: ended,
  filled,
  paidPrice: null,
  paidFee: null,
})
const planned = (size: string) => ({ quote: { contracts: size } }) as never
const figures = (states: readonly LegState[], closing: readonly LegState[] = []) =>
  balancesOf(states, closing)?.map(({ filled, excess, missing }) => [filled, excess, missing])

describe('legs of one component', () => {
  it('have as excess what the least filled one lacks', () => {
    expect(figures([state(0, '10'), state(1, '4'), state(2, '7')])).toEqual([
      ['10', '6', '0'],
      ['4', '0', '6'],
      ['7', '3', '3'],
    ])
  })

  it('have no balance while one has not ended, or its fills are not known', () => {
    expect(figures([state(0, '10'), state(1, '4', {}, false)])).toBeUndefined()
    expect(figures([state(0, '10'), state(1, null)])).toBeUndefined()
    expect(figures([state(0, '10'), state(1, '4')], [state(0, null, { closes_position: 1 })])).toBeUndefined()
  })

  it('count what closing legs completed, and what they sold', () => {
    const own = [state(0, '10'), state(1, '4')]
    expect(figures(own, [state(0, '6', { closes_position: 1 })])).toEqual([
      ['10', '0', '0'],
      ['10', '0', '0'],
    ])
    expect(figures(own, [state(0, '5', { closes_position: 0, is_buy: false })])).toEqual([
      ['5', '1', '0'],
      ['4', '0', '1'],
    ])
  })
})

it('components are added up, each by its least filled leg', () => {
  const own = [state(0, '10'), state(1, '4', { component: 1 }), state(2, '3', { component: 1 })]
  const balances = balancesOf(own, [])!
  expect(completed(balances)).toBe('13')
  expect(remainingOf('20', balances, [])).toBe('7')
  expect(remainingOf('20', balances, [state(0, '5')])).toBe('2')
  expect(remainingOf('12', balances, [])).toBe('0')
})

it.each([
  ['building', [{ ...state(0, null, {}, false), isPending: true }]],
  ['built', [{ ...state(0, '0', {}, false), isSent: false }]],
  ['working', [state(0, '5'), { ...state(1, '0', { component: 1 }, false), isSent: false }]],
  ['working', [state(0, null)]],
  ['unfilled', [state(0, '0'), state(1, '0')]],
  ['unequal', [state(0, '5'), state(1, '0')]],
  ['partial', [state(0, '5'), state(1, '5')]],
  ['filled', [state(0, '10'), state(1, '10')]],
] as const)('is %s', (status, states) => {
  expect(statusOf(states, planned('10'))).toBe(status)
})
