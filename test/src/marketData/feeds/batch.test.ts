// The batch encoder compared with viem's: equal bytes out, equal values in, and nothing for bytes that no encoder would write.
import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, parseAbi, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import { aggregate3, decodeBatch, decodeText, decodeWords, encodeBatch } from '#marketData/feeds/chainlink/batch'
import { decimalsOf, descriptionOf, getRoundData, roundDataOf, selectors } from '#marketData/feeds/chainlink/calls'

const functionName = 'aggregate3'
const abi = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function getRoundData(uint80) view returns (uint80, int256, uint256, uint256, uint80)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
])
const Bytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const Address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const written = (results: readonly (string | null)[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName,
    result: results.map((data) => ({ success: data !== null, returnData: `0x${data ?? ''}` as const })),
  })

it('has the selectors of the functions that it calls', () => {
  for (const each of abi)
    expect([each.name, `0x${selectors[each.name]}`]).toEqual([each.name, toFunctionSelector(each)])
  const [id] = [92_233_720_368_547_771_158n]
  expect(`0x${getRoundData(id)}`).toBe(encodeFunctionData({ abi, functionName: 'getRoundData', args: [id] }))
  expect(`0x${aggregate3}`).toBe(toFunctionSelector(multicall3Abi.find(({ name }) => name === functionName)!))
})

it('encodes and decodes like viem', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ target: Address, data: Bytes }), { maxLength: 8 }), (calls) => {
      const args = [
        calls.map(({ target, data }) => ({ target, allowFailure: true, callData: `0x${data}` as const })),
      ] as const
      expect(encodeBatch(calls)).toBe(encodeFunctionData({ abi: multicall3Abi, functionName, args }))
    }),
    { numRuns: 25 },
  )
  fc.assert(
    fc.property(fc.array(fc.option(Bytes), { maxLength: 8 }), (results) => {
      expect(decodeBatch(written(results), results.length)).toEqual(results)
      expect(decodeBatch(written(results), results.length + 1)).toBeNull()
    }),
    { numRuns: 25 },
  )
})

it('decodes changed bytes to what they contain, or rejects them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(Bytes), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.integer({ min: 1, max: 15 }),
      fc.nat(300),
      (results, place, by, cut) => {
        const whole = written(results)
        const at = 2 + (place % (whole.length - 2))
        const digit = (Number.parseInt(whole[at]!, 16) ^ by).toString(16)
        const changed = `${whole.slice(0, at)}${digit}${whole.slice(at + 1)}` as Hex
        const read = decodeBatch(changed, results.length)
        // The return data of a failed call is omitted.
        const isWhole = [...results, ...(read ?? [null])].every((data) => data !== null)
        if (isWhole) expect(written(read!)).toBe(changed)
        if (cut > 0) expect(decodeBatch(whole.slice(0, Math.max(2, whole.length - cut)), results.length)).toBeNull()
        expect(decodeBatch(`${whole}${'00'.repeat(cut + 1)}`, results.length)).toBeNull()
      },
    ),
    { numRuns: 100 },
  )
})

it('decodes a round, decimals and a description like viem', () => {
  const id = (5n << 64n) + 7n
  const round = [id, -5n, 0n, (1n << 256n) - 1n, id - 1n] as const
  const bare = (hex: Hex): string => hex.slice(2)
  expect(roundDataOf(bare(encodeFunctionResult({ abi, functionName: 'latestRoundData', result: round })))).toEqual(
    round,
  )
  expect(decimalsOf(bare(encodeFunctionResult({ abi, functionName: 'decimals', result: 18 })))).toBe(18)
  for (const text of ['', 'BTC / USD', 'x'.repeat(32), 'naïve ₿'.repeat(20)])
    expect(descriptionOf(bare(encodeFunctionResult({ abi, functionName: 'description', result: text })))).toBe(text)
})

it.each<[string, string | null]>([
  ['nothing', ''],
  ['a failed call', null],
  ['half a word', '00'.repeat(16)],
  ['an extra word', '00'.repeat(32 * 6)],
  ['an id beyond 80 bits', `${'f'.repeat(64)}${'00'.repeat(32 * 4)}`],
])('rejects %s as a round', (_, data) => {
  expect(roundDataOf(data)).toBeNull()
  expect(decimalsOf(data === null ? null : `${data}ff`)).toBeNull()
  expect(descriptionOf(data)).toBeNull()
})

it('rejects impossible lengths without allocating for them', () => {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0')
  for (const length of [1n, 33n, 1n << 31n, 1n << 33n, (1n << 256n) - 1n]) {
    expect(decodeText(`${word(32n)}${word(length)}`)).toBeNull()
    expect(decodeBatch(`0x${word(32n)}${word(1n)}${word(32n)}${word(1n)}${word(64n)}${word(length)}`, 1)).toBeNull()
  }
  expect(decodeWords('', 0)).toEqual([])
})
