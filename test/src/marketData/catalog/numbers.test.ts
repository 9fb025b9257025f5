import { expect, it } from 'vitest'
import { amountsOf } from '#marketData/catalog/numbers'

it.each([
  ['Will Bitcoin hit $100k?', ['100000']],
  ['100K', ['100000']],
  ['$100,000', ['100000']],
  ['100000', ['100000']],
  ['100 thousand', ['100000']],
  ['1m views', ['1000000']],
  ['1.5 million', ['1500000']],
  ['$1.5M', ['1500000']],
  ['2.50bn', ['2500000000']],
  ['between 1,000 and 2,500.', ['1000', '2500']],
  ['in 2026', ['2026']],
  ['5 m tall', []],
  ['4.25% or 100', []],
  ['1.0005k', []],
  ['1,00 and 1.2.3', []],
  ['q4k and 100kg', []],
  [`${'9'.repeat(400)}k`, []],
])('reads %j as %j', (text, digits) => {
  expect(amountsOf(text).map((amount) => amount.digits)).toEqual(digits)
})
