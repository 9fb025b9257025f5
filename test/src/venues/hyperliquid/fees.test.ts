// The fee of a purchase, and the measured sales that confirm the model.
import { expect, it } from 'vitest'
import { multiplyDecimals } from '#core/decimal'
import { feeEstimate } from '#venues/hyperliquid/exec/build'
import { feeModel } from '#venues/hyperliquid/fees'

it('a purchase opens a position, which is free, whatever the deployer fee scale', () => {
  for (const deployerFeeScale of [undefined, '0', '1.0', '10'])
    expect(feeModel({ sourceMetadata: { outcome: 516, deployerFeeScale } })).toEqual({
      fee: { kind: 'none' },
      settlementFee: { kind: 'none' },
    })
  expect(feeEstimate(true, '100', '1', 'USDC')).toMatchObject({ maker: '0', taker: '0' })
})

it('a row of another kind is not priced', () => {
  for (const sourceMetadata of [{}, { outcome: '516' }, { outcome: null }])
    expect(feeModel({ sourceMetadata })).toMatchObject({ fee: { kind: 'unknown' }, settlementFee: { kind: 'unknown' } })
})

it('matches sales measured on mainnet, 2026-09-12: a discount of 4 % on twice the spot rates', () => {
  const { maker, taker } = feeEstimate(false, '1', '1', 'USDC') as { maker: string; taker: string }
  expect(multiplyDecimals(maker, '0.96')).toBe('0.000768')
  expect(multiplyDecimals(taker, '0.96')).toBe('0.001344')
})
