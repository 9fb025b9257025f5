// Prices of pools: from the contract on BNB Chain by its published ABI if a node is configured, otherwise from the market row.
import {
  encodeAbiParameters,
  encodeFunctionResult,
  multicall3Abi,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { ChainNode } from '#net/chainNode'
import { normalizeMarket } from '#venues/myriad/data/normalize'
import { optionPrices } from '#venues/myriad/data/optionPrices'
import { MyriadMarket } from '#venues/myriad/wire'
import type { PricedPool } from '#venues/optionPrices'
import type { VenueContext } from '#venues/venueContext'
import { book, pool } from './rows.ts'

const chain = optionPrices.chain!
const withNode = { urls: { RPC: 'http://node' } }
const marketOf = (row: object) => normalizeMarket(MyriadMarket.parse(row))
const pooled = (row: object, context: { urls: Record<string, string> } = withNode) => {
  const market = marketOf(row)
  return optionPrices.poolOf(market.marketId, [market], context) as PricedPool
}
const onBnb = { ...pool, networkId: 56, id: 7 }

test('the function and the event are the published ones', () => {
  expect(toFunctionSelector('function getMarketPrices(uint256)')).toBe('0x85b91d8e')
  expect(chain.events.map((event) => toEventSelector(event).slice(0, 10))).toEqual(['0x9dcabe31'])
})

test('a pool on BNB Chain is read from its contract if there is a node, any other from its row', () => {
  expect(pooled(onBnb)).toMatchObject({
    key: '56:amm:7',
    address: '0x39E66eE6b2ddaf4DEfDEd3038E0162180dbeF340',
    contract: '0x39e66ee6b2ddaf4defded3038e0162180dbef340',
  })
  expect(pooled(onBnb).choices.map(({ index }) => index)).toEqual([0, 1])
  expect(pooled(onBnb, { urls: {} }).contract).toBeNull()
  expect(pooled(pool).contract).toBeNull()
  expect(pooled({ ...pool, state: 'closed' }).choices).toEqual([])
  expect(optionPrices.poolOf('56:ob:42', [marketOf({ ...book, id: 42 })], withNode)).toBe('order_book')
  expect(optionPrices.poolOf('56:amm:1', [], withNode)).toBe('not_found')
  expect([optionPrices.rowsOf('56:amm:1'), optionPrices.rowsOf('56:amm:1:0'), optionPrices.rowsOf('x')]).toEqual([
    { marketId: '56:amm:1' },
    null,
    null,
  ])
})

test('a log of the shared pool contract concerns only the market it names', () => {
  const event = (marketId: bigint) => ({ name: 'MarketActionTx', args: { marketId } })
  expect([chain.concerns(pooled(onBnb), event(7n)), chain.concerns(pooled(onBnb), event(8n))]).toEqual([true, false])
})

test('a reading has a price per outcome; reverted or invalid results are left out', async () => {
  const abi = parseAbi(['function getMarketPrices(uint256) view returns (uint256, uint256[])'])
  const wei = 10n ** 18n
  const encodePrices = (prices: bigint[]) =>
    encodeFunctionResult({ abi, functionName: 'getMarketPrices', result: [0n, prices] })
  const result = [
    { success: true, returnData: encodePrices([wei / 4n, (wei * 3n) / 4n]) },
    { success: false, returnData: '0x' as const },
    { success: true, returnData: encodePrices([wei * 2n]) },
    { success: true, returnData: encodeAbiParameters([{ type: 'uint256' }], [1n]) },
  ]
  const node = {
    exchange: 'myriad',
    call: async () => encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
  } as unknown as ChainNode
  const read = await chain.fetch(
    node,
    Array.from({ length: 4 }, () => pooled(onBnb)),
    5,
  )
  const labels = pool.outcomes.map(({ title }: { title: string }) => title)
  expect(read).toEqual([
    [
      { choiceIndex: 0, label: labels[0], price01: 0.25, rawPrice: '250000000000000000' },
      { choiceIndex: 1, label: labels[1], price01: 0.75, rawPrice: '750000000000000000' },
    ],
    [],
    [],
    [],
  ])
})

test('prices of a row are passed on as written; a closed market has none', async () => {
  const read = (row: object | null) => {
    const request = async () =>
      row === null
        ? { status: 404, headers: {}, body: { error: 'Market not found' } }
        : { status: 200, headers: {}, body: row }
    const context: VenueContext = {
      ...{
        venue: 'myriad',
        http: { request },
        clock: new ManualClock(),
        log: silentLog,
        urls: { REST: 'http://venue' },
      },
      ...{ credentials: null, signal: new AbortController().signal },
    }
    return optionPrices.poll!.fetch(context, pooled(pool))
  }
  const [first, second] = pool.outcomes as { title: string; price: string }[]
  expect(await read(pool)).toEqual([
    { choiceIndex: 0, label: first!.title, price01: Number(first!.price), rawPrice: String(first!.price) },
    { choiceIndex: 1, label: second!.title, price01: Number(second!.price), rawPrice: String(second!.price) },
  ])
  await expect(read({ ...pool, id: 550 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  const outcomes = [
    { ...first, price: '1.5' },
    { ...second, price: null },
  ]
  expect([await read({ ...pool, outcomes }), await read({ ...pool, state: 'closed' }), await read(null)]).toEqual([
    [],
    [],
    [],
  ])
})
