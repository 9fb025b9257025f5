import { expect, it } from 'vitest'
import { curveFee } from '#venues/shared/exec/fees'

it.each([
  // As charged by Polymarket (cut off) and published by Polymarket US (banker’s rounding): size, price, rate, exponent.
  ['7.575758', '0.66', '0.05', 1, 5, 'down', '0.085'],
  ['125.5', '0.5', '0.25', 2, 5, 'down', '1.96093'],
  ['100', '0.5', '0.0695', 1, 2, 'halfEven', '1.74'],
  ['100', '0.5', '0.0694', 1, 2, 'halfEven', '1.74'],
  ['1', '0.5', '0.02', 1, 2, 'halfEven', '0'],
  ['3', '0.5', '0.02', 1, 2, 'halfEven', '0.02'],
  ['100', '0.31', '0', 1, 5, 'down', '0'],
  ['100', '0.31', '0.07', 0, 5, 'down', '7'],
] as const)('%s at %s by %s^%d', (size, price, rate, exponent, places, rounding, fee) => {
  expect(curveFee({ size, price, rate, exponent }, { places, rounding })).toBe(fee)
})
