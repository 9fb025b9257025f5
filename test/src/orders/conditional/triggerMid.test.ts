import { expect, it } from 'vitest'
import { compareDecimals } from '#core/decimal'
import { midOf } from '#orders/conditional/triggerMid'

it.each([
  ['the mark', { reference: 'mark', referencePrice: 0.415, spread: 0.02 }, '0.415'],
  ['the bid and half of the spread', { reference: 'bid', referencePrice: 0.4, spread: 0.03 }, '0.415'],
  ['the ask less half of the spread', { reference: 'ask', referencePrice: 0.43, spread: 0.03 }, '0.415'],
  ['a price of millionths', { reference: 'bid', referencePrice: 0.000001, spread: 0.000001 }, '0.0000015'],
])('is %s', (_name, evidence, mid) => {
  expect(compareDecimals(midOf(evidence)!, mid)).toBe(0)
})

it.each([
  ['without evidence', null],
  ['with evidence of another shape', { price: 0.4 }],
  ['while one side of the book is empty', { reference: 'bid', referencePrice: 0.4, spread: null }],
])('is unknown %s', (_name, evidence) => {
  expect(midOf(evidence)).toBeNull()
})
