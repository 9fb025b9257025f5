import { expect, it } from 'vitest'
import type { StructureRow } from '#schemas/structures'
import { listed } from '../../../src/cli/structures.ts'

const leg = (words: Partial<StructureRow['legs'][number]>): StructureRow['legs'][number] => ({
  market: 'kalshi:KXBTC-110',
  venue: 'kalshi',
  title: 'Bitcoin above 110?',
  side: 'no',
  contracts: 100,
  price: 0.568,
  limitPrice: 0.58,
  cost: 56.8,
  fee: 1.72,
  payout: 100,
  executable: true,
  reasons: [],
  asOf: '2026-09-21T14:13:20.000Z',
  ...words,
})

const row = (words: Partial<StructureRow> = {}): StructureRow => ({
  id: 'a',
  kind: 'implication',
  legs: [
    leg({}),
    leg({
      market: 'polymarket:1',
      title: 'Bitcoin above 100?',
      side: 'yes',
      price: 0.4,
      limitPrice: 0.4,
      cost: 40,
      fee: 0,
    }),
  ],
  contracts: 100,
  worstPayout: 100,
  capital: 98.52,
  edge: 1.48,
  roi: 0.015022,
  relations: [{ id: 'pair:a~b', kind: 'a_implies_b', band: 'verified', reason: null }],
  weakest: { id: 'pair:a~b', band: 'verified' },
  executable: true,
  reasons: [],
  proven: true,
  asOf: '2026-09-21T14:13:20.000Z',
  ...words,
})

it('prints a structure as steps to follow, its payout, the relations it depends on, and why it is not executable', () => {
  const unsure = row({
    executable: false,
    proven: false,
    relations: [{ id: 'pair:a~b', kind: 'a_implies_b', band: 'minor', reason: 'the source is open' }],
    reasons: ['relation_not_verified'],
  })
  const all = { sets: 2, searched: 2, complete: true }
  expect(listed([row(), unsure], '2026-09-21T14:13:21.500Z', all)).toEqual([
    '* implication: edge $1.48 (1.50 %) for $98.52; pays at least $100.00',
    '  1. buy 100 NO of “Bitcoin above 110?” (kalshi:KXBTC-110) at $0.568, limit ≤ $0.58: cost $56.80, fee $1.72',
    '  2. buy 100 YES of “Bitcoin above 100?” (polymarket:1) at $0.40, limit ≤ $0.40: cost $40.00, fee $0.00',
    '  rests on a_implies_b pair:a~b (verified)',
    '',
    '  implication: edge $1.48 (1.50 %) for $98.52; pays at least $100.00',
    expect.stringMatching(/^ {2}1\. buy 100 NO/),
    expect.stringMatching(/^ {2}2\. buy 100 YES/),
    '  rests on a_implies_b pair:a~b (minor: the source is open)',
    '  not executable: relation_not_verified',
    '  the search was cut short: other legs of these markets may earn more',
    '',
    '2 structures, 1 executable, computed 14:13:21.500',
  ])
})

it('says when sets are still to be searched', () => {
  expect(listed([], null, { sets: 7, searched: 3, complete: false })).toEqual([
    '0 structures, 0 executable; incomplete: 3 of 7 sets searched so far',
  ])
})
