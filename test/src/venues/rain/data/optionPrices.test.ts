// Prices of a pool’s options, by the second client’s ABI: which logs change them, and how the contract’s answers are interpreted.
import { encodeFunctionResult, type Hex, multicall3Abi, toEventSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ChainNode } from '#net/chainNode'
import type { Market } from '#schemas/market'
import { sampleMarket } from '#test/src/marketData/catalog/samples'
import { poolAbi } from '#venues/rain/data/chain'
import { optionPrices } from '#venues/rain/data/optionPrices'

/** Mixed case without a valid checksum, as a user may type it. */
const address = '0x5921A9201ca251e9596ede57b67125d5c42c6077'
const option = (number: number, more: Partial<Market> = {}): Market =>
  sampleMarket(`${address}:${number}`, { sourceMetadata: { yesSubTitle: `Option ${number}` }, ...more })
const context = { urls: { RPC: 'http://node' } }
const chain = optionPrices.chain!

test('the topics of the events are the published ones', () => {
  expect(chain.events.map((event) => toEventSelector(event))).toEqual([
    '0x563b514caea1e188378fb9f25e9c8766395f6539221f362fdaf23237ff5f4d45',
    '0x3f6d0ccd0ede3f4c122122b31e31dec4a94206308b19db849b2c9e5aa52e3f33',
    '0x3198e27c469596550d0d17d7708bf7c5fc0dc680acf4f249934972e7743d9254',
    '0x98cf7679174e1ca8f8773baa42121b08a804515a4655c198b2b9817139b2eae7',
    '0xf5a59b5d7d821097c2f8fa36858872bc9fc1530844c4b39d9f5112b8d49a6bd6',
  ])
})

test('an option id and a pool id both give the pool with all its options', () => {
  for (const id of [address, `${address}:2`]) {
    expect(optionPrices.rowsOf(id)).toEqual({ eventId: address })
    expect(optionPrices.poolOf(id, [option(1), option(2)], context)).toEqual({
      key: address.toLowerCase(),
      address,
      choices: [
        { index: 1, label: 'Option 1' },
        { index: 2, label: 'Option 2' },
      ],
      contract: address.toLowerCase(),
    })
  }
  expect(optionPrices.poolOf(`${address}:3`, [option(1)], context)).toBe('not_found')
  for (const none of ['', 'x', '0x12', `${address}:0`, `${address}:1:1`]) expect(optionPrices.rowsOf(none)).toBeNull()
})

test('a single option has the pool’s title; a closed one has no price; without a node there are no prices', () => {
  const alone = option(1, { title: 'Will it?', sourceMetadata: {} })
  expect(optionPrices.poolOf(address, [alone], context)).toMatchObject({ choices: [{ index: 1, label: 'Will it?' }] })
  const over = [option(1, { status: 'resolved' }), option(2, { status: 'closed' })]
  expect(optionPrices.poolOf(address, over, context)).toMatchObject({ choices: [] })
  expect(optionPrices.missing!(context)).toBeNull()
  expect(optionPrices.missing!({ urls: {} })).toMatch(/no node/)
})

describe('a reading', () => {
  /** The contract’s answers, in the order of the calls; null reverts. */
  function nodeOf(answers: readonly (bigint | null)[]) {
    const calls: { data: string; at: unknown }[] = []
    let next = 0
    const node = {
      exchange: 'rain',
      async call({ data }: { data: string }, at: unknown) {
        calls.push({ data, at })
        const result = answers.slice(next, next + 200).map((price) => ({
          success: price !== null,
          returnData:
            price === null
              ? ('0x' as Hex)
              : encodeFunctionResult({ abi: poolAbi, functionName: 'getCurrentPrice', result: price }),
        }))
        next += 200
        return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
      },
    } as unknown as ChainNode
    return { node, calls }
  }
  const poolWith = (options: number) => ({
    key: address,
    address,
    choices: Array.from({ length: options }, (_, n) => ({ index: n + 1, label: null })),
    contract: address.toLowerCase(),
  })
  const wei = 10n ** 18n

  test('reads all pools in one call at one block; reverted calls and invalid probabilities are left out', async () => {
    const { node, calls } = nodeOf([wei / 4n, null, wei, 0n, wei + 1n])
    const [first, second] = await chain.fetch(node, [poolWith(3), poolWith(2)], 77)
    expect(first).toEqual([
      { choiceIndex: 1, label: null, price01: 0.25, rawPrice: '250000000000000000' },
      { choiceIndex: 3, label: null, price01: 1, rawPrice: String(wei) },
    ])
    // Zero is a price, too.
    expect(second).toEqual([{ choiceIndex: 1, label: null, price01: 0, rawPrice: '0' }])
    expect(calls.map(({ at }) => at)).toEqual([77])
  })

  test('splits many calls into batches that a node accepts', async () => {
    const { node, calls } = nodeOf(Array.from({ length: 450 }, () => wei / 2n))
    const read = await chain.fetch(node, [poolWith(150), poolWith(150), poolWith(150)], 1)
    expect(read.map(({ length }) => length)).toEqual([150, 150, 150])
    expect(calls).toHaveLength(3)
  })
})
