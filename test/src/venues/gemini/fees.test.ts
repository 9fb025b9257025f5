import { describe, expect, test } from 'vitest'
import { feeEstimate } from '#venues/gemini/exec/build'
import { feeModel } from '#venues/gemini/fees'

describe('the published vectors', () => {
  test.each([
    ['maker', '100', '0.10', '0.1'],
    ['maker', '100', '0.50', '0.5'],
    ['taker', '100', '0.40', '2'],
    ['taker', '100', '0.90', '0.5'],
  ] as const)('%s %s at %s pays %s', (who, contracts, price, fee) => {
    expect(feeEstimate(contracts, price)[who]).toBe(fee)
  })
})

test('a leg is not priced because the venue publishes no rounding rule: unknown is not zero', () => {
  const { fee, settlementFee } = feeModel()
  expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
})
