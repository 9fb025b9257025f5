import { expect, it } from 'vitest'
import type { Relation } from '#arbitrage/structures/input'
import { completeSetsFor } from '#router/completeSets'

const set = (markets: readonly string[], more: Partial<Extract<Relation, { kind: 'outcomes' }>> = {}): Relation => ({
  id: 'r',
  band: 'verified',
  kind: 'outcomes',
  complete: true,
  members: markets.map((market) => ({ market, side: 'yes' })),
  ...more,
})
const no = { venue: 'kalshi', marketId: 'a', side: 'no' } as const
const partsOf = (relations: readonly Relation[], answers = [no] as Parameters<typeof completeSetsFor>[0]) =>
  completeSetsFor(answers, relations).map(({ parts }) => parts.map(({ marketId, side }) => `${marketId} ${side}`))
const three = ['kalshi:a', 'kalshi:b', 'kalshi:c']

it('the NO of one outcome is worth all the others', () => {
  expect(partsOf([set(three)])).toEqual([['b yes', 'c yes']])
})

it.each([
  ['its YES', [set(three)], [{ ...no, side: 'yes' }]],
  ['an incomplete set', [set(three, { complete: false })], [no]],
  ['a set that is not verified', [set(three, { band: 'minor' })], [no]],
  ['a set without it', [set(three.slice(1))], [no]],
  ['a set of two, which is one market', [set(three.slice(0, 2))], [no]],
  ['a set with a market that is traded anyway', [set(three)], [no, { ...no, marketId: 'b' }]],
] as const)('is not worth %s', (_what, relations, answers) => {
  expect(partsOf(relations, answers)).toEqual([])
})
