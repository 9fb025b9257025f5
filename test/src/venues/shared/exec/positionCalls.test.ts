import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  describePositionCall,
  encodePositionCall,
  intentOfCall,
  type PositionCall,
  readCallAmount,
  readPositionCall,
} from '#venues/shared/exec/positionCalls'

const conditionId: Hex = `0x${'ab'.repeat(32)}`
const collateral: Hex = '0x55d398326f99059fF775485246999027B3197955'
const uint = { type: 'uint256' } as const
const bytes32 = { type: 'bytes32' } as const

/** Written out, without the lane's parser of signatures. */
const functionOf = (name: string, ...inputs: { type: string }[]) => [
  { type: 'function' as const, name, stateMutability: 'nonpayable' as const, outputs: [], inputs },
]
const tokensForm = (name: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({
    abi: functionOf(name, { type: 'address' }, bytes32, bytes32, { type: 'uint256[]' }, uint),
    functionName: name,
    args,
  })

const calls = fc.oneof(
  fc.record({
    kind: fc.constantFrom('split' as const, 'merge' as const),
    conditionId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`),
    amount: fc.bigInt({ min: 1n, max: 2n ** 128n }),
  }),
  fc.record({
    kind: fc.constant('convert' as const),
    negRiskMarketId: fc
      .bigInt({ min: 0n, max: 2n ** 248n - 1n })
      .map((n): Hex => `0x${n.toString(16).padStart(62, '0')}00`),
    indexSet: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
    amount: fc.bigInt({ min: 1n, max: 2n ** 128n }),
  }),
)

it('reads what it encodes, in both forms', () => {
  fc.assert(
    fc.property(calls, fc.boolean(), (call: PositionCall, isTokens) => {
      const data = encodePositionCall(call, { collateral: isTokens ? collateral : null })
      expect(readPositionCall('polymarket', data)).toEqual(call)
      expect(intentOfCall(data)).toBe(call.kind)
    }),
  )
})

it('encodes calls of the tokens and of the adapter as their signatures say', () => {
  const noParent = `0x${'0'.repeat(64)}`
  const split = { kind: 'split', conditionId, amount: 7n } as const
  expect(encodePositionCall(split, { collateral })).toBe(
    tokensForm('splitPosition', [collateral, noParent, conditionId, [1n, 2n], 7n]),
  )
  expect(encodePositionCall({ ...split, kind: 'merge' }, { collateral })).toBe(
    tokensForm('mergePositions', [collateral, noParent, conditionId, [1n, 2n], 7n]),
  )
  // Selectors of the venues' documentation.
  const selectors = [
    [encodePositionCall(split, { collateral }), '0x72ce4275'],
    [encodePositionCall({ ...split, kind: 'merge' }, { collateral }), '0x9e7212ad'],
    [encodePositionCall(split, { collateral: null }), '0xa3d7da1d'],
    [encodePositionCall({ ...split, kind: 'merge' }, { collateral: null }), '0xb10c5c17'],
    [
      encodePositionCall(
        { kind: 'convert', negRiskMarketId: conditionId, indexSet: 3n, amount: 1n },
        { collateral: null },
      ),
      '0xc64748c4',
    ],
  ] as const
  for (const [data, selector] of selectors) expect(data.slice(0, 10)).toBe(selector)
})

describe('refuses', () => {
  const data = encodePositionCall({ kind: 'split', conditionId, amount: 7n }, { collateral })
  const refused = expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' })

  it.each([
    ['another parent', tokensForm('splitPosition', [collateral, conditionId, conditionId, [1n, 2n], 7n])],
    ['one side', tokensForm('splitPosition', [collateral, `0x${'0'.repeat(64)}`, conditionId, [1n], 7n])],
    ['three sides', tokensForm('splitPosition', [collateral, `0x${'0'.repeat(64)}`, conditionId, [1n, 2n, 4n], 7n])],
    ['truncated bytes', data.slice(0, -64) as Hex],
    ['more bytes', `${data}${'0'.repeat(64)}` as Hex],
    ['another call', `0x01b7037c${data.slice(10)}` as Hex],
    ['no call', '0x' as Hex],
  ])('%s', (_name, bytes) => {
    expect(() => readPositionCall('opinion', bytes)).toThrowError(refused)
  })

  it.each(['0', '-1', '0.0000001', '1000000000.1', '1e3', 'x', ''])('the amount %s', (amount) => {
    expect(() => readCallAmount(amount, 6)).toThrowError(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })
})

it('rounds an amount down to the decimals of the token', () => {
  expect(readCallAmount('1.2345678', 6)).toEqual({ size: '1.234567', units: 1_234_567n })
  expect(readCallAmount(2.5, 18)).toEqual({ size: '2.5', units: 2_500_000_000_000_000_000n })
  expect(readCallAmount('1000000000', 0)).toEqual({ size: '1000000000', units: 1_000_000_000n })
})

it('describes the market, or the event and its outcomes, and the amount', () => {
  const split = encodePositionCall({ kind: 'split', conditionId, amount: 1_500_000n }, { collateral })
  expect(describePositionCall('polymarket', split, 6)).toEqual({
    intent: 'split',
    instrument: conditionId,
    size: '1.5',
  })
  expect(describePositionCall('opinion', split, null)).toEqual({
    ...{ intent: 'split', instrument: conditionId, size: '1500000' },
    inUnits: true,
  })
  const convert = encodePositionCall(
    { kind: 'convert', negRiskMarketId: conditionId, indexSet: 0b101n, amount: 2_000_000n },
    { collateral: null },
  )
  expect(describePositionCall('polymarket', convert, 6)).toEqual({
    ...{ intent: 'convert', instrument: `${conditionId}:0x5`, size: '2' },
  })
})
