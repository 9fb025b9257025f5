// Pools, quotes and trades. No recording is published: rows, calls and logs are written by hand from the second client’s types and ABI.
import {
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tradeOfLog } from '#actors/chainTape/decode'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import type { HttpRequest } from '#net/http'
import { Event, type Market } from '#schemas/market'
import { callPools, poolAbi } from '#venues/rain/data/chain'
import { chainTrades } from '#venues/rain/data/chainTrades'
import { idsOf } from '#venues/rain/ids'
import { rain } from '#venues/rain/index'
import type { ChainEvent, VenueContext } from '#venues/venueContext'

type Row = Record<string, unknown>
const address = '0x5921a9201ca251e9596ede57b67125d5c42c6077'
const pool: Row = {
  _id: '65f0',
  contractAddress: address,
  question: 'Who wins?',
  poolDescription: 'By the count.',
  status: 'Live',
  options: [{ optionName: 'Ann', choiceIndex: 1 }, { optionName: 'Bob' }],
  token: { tokenAddress: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', tokenSymbol: 'USDT', tokenDecimals: 6 },
  tags: ['politics'],
  startDate: '2026-05-01T00:00:00.000Z',
  endDate: '2026-12-31T12:00:00.000Z',
}

test('a finalized pool does not trade, whatever its status', async () => {
  const { context } = contextOf(
    [
      { ...pool, poolFinalized: true },
      { ...pool, poolFinalized: 'x' },
    ],
    null,
  )
  const statuses: string[] = []
  for await (const { events } of rain.data.walkCatalog(context, { updatedSinceMs: null }))
    statuses.push(...events.flatMap(({ markets }) => markets.map(({ status }) => status)))
  expect(statuses).toEqual(['closed', 'closed', 'unknown', 'unknown'])
})

/** Answers of the contracts, by function, option and side; null reverts. */
type Contract = (name: string, args: readonly unknown[]) => bigint | null

function contextOf(rows: readonly Row[], contract: Contract | null) {
  const requestedUrls: string[] = []
  const node = (body: unknown): Row => {
    const { id, method, params } = body as { id: number; method: string; params: [{ data: Hex }] }
    if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0xa4b1' }
    const [call] = params
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data })
    const calls = args![0] as readonly { callData: Hex }[]
    const result = calls.map(({ callData }) => {
      const { functionName, args: given } = decodeFunctionData({ abi: poolAbi, data: callData })
      const value = contract!(functionName, given)
      if (value === null) return { success: false, returnData: '0x' as Hex }
      const returned = functionName === 'getEntryShares' ? ([value, 0n] as const) : value
      return {
        success: true,
        returnData: encodeFunctionResult({ abi: poolAbi, functionName, result: returned as never }),
      }
    })
    return {
      jsonrpc: '2.0',
      id,
      result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
    }
  }
  const context: VenueContext = {
    venue: 'rain',
    http: {
      async request({ url, body, query }: HttpRequest) {
        requestedUrls.push(url)
        if (url === 'http://node') return { status: 200, headers: {}, body: node(body) }
        if (url.endsWith('/pools/public-pools')) {
          const offset = Number(query?.offset)
          return {
            status: 200,
            headers: {},
            body: { statusCode: 200, data: { pools: rows.slice(offset, offset + Number(query?.limit)) } },
          }
        }
        const row = rows.find(({ contractAddress }) => url.endsWith(String(contractAddress)))
        return { status: 200, headers: {}, body: { statusCode: 200, message: 'Success', data: row ?? null } }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://api', ...(contract === null ? {} : { RPC: 'http://node' }) },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requestedUrls }
}
const quiet: Contract = () => null
const walk = async (rows: readonly Row[], contract: Contract | null): Promise<Event[]> => {
  const found: Event[] = []
  for await (const { events } of rain.data.walkCatalog(contextOf(rows, contract).context, { updatedSinceMs: null }))
    found.push(...events)
  return found.map((event) => Event.parse(event))
}

test('calls and events match the contracts: their selectors and topics are the published ones', () => {
  expect(poolAbi.map((item) => toFunctionSelector(item))).toEqual(['0xc982e353', '0x6cd93c9f', '0xbf1b0381'])
  expect(chainTrades.events.map((event) => toEventSelector(event))).toEqual([
    '0x563b514caea1e188378fb9f25e9c8766395f6539221f362fdaf23237ff5f4d45',
    '0x3198e27c469596550d0d17d7708bf7c5fc0dc680acf4f249934972e7743d9254',
    '0x98cf7679174e1ca8f8773baa42121b08a804515a4655c198b2b9817139b2eae7',
  ])
})

describe('a pool', () => {
  test('is an event whose options are markets; prices and volumes come from the chain', async () => {
    const [event] = await walk([pool], (name, [option]) =>
      name === 'getCurrentPrice' ? (option === 1n ? 620_000_000_000_000_000n : null) : 1_500_000n * (option as bigint),
    )
    expect(event).toMatchObject({ id: address, title: 'Who wins?', volume: 4.5, volume24h: null })
    const [ann, bob] = event!.markets
    expect(ann).toMatchObject({
      marketId: `${address}:1`,
      title: 'Who wins?: Ann',
      status: 'active',
      volume: 1.5,
      volume24h: null,
      tickSize: null,
      contractAddress: address,
      resolutionDate: '2026-12-31T12:00:00.000Z',
      sourceMetadata: { synthetic: true, collateral: 'USDT', collateralDecimals: 6 },
    })
    expect(ann!.outcomes.map(({ outcomeId, price, bestBid }) => [outcomeId, price, bestBid])).toEqual([
      [`${address}:1:1`, 0.62, null],
      [`${address}:1:2`, 0.38, null],
    ])
    expect([bob!.marketId, bob!.outcomes[0]!.price]).toEqual([`${address}:2`, null])
  })

  test('has unknown prices and volume without a node or without its answer', async () => {
    for (const contract of [null, quiet]) {
      const [event] = await walk([pool], contract)
      expect(event!.markets.map(({ volume, outcomes }) => [volume, outcomes[0]!.price])).toEqual([
        [null, null],
        [null, null],
      ])
      expect(event!.volume).toBeNull()
    }
  })

  test.each([
    ['Live', 'active'],
    ['Closing_Soon', 'active'],
    ['New', 'unknown'],
    ['Under_Dispute', 'closed'],
    ['Waiting_for_Result', 'closed'],
    ['Closed', 'resolved'],
    ['Melting', 'unknown'],
  ])('with status %s is %s; only trading pools are read from the chain', async (status, ours) => {
    const { context, requestedUrls } = contextOf([{ ...pool, status }], quiet)
    const event = await rain.data.fetchEvent!(context, address)
    expect(event!.markets.map((market) => market.status)).toEqual([ours, ours])
    expect(requestedUrls.includes('http://node')).toBe(ours === 'active')
  })

  test('loses an option numbered 0, because the contract counts from 1', async () => {
    const [event] = await walk(
      [{ ...pool, options: [{ optionName: 'Ann', choiceIndex: 0 }, 7, { optionName: 'Bob', choiceIndex: 1 }] }],
      null,
    )
    expect(event!.markets.map(({ marketId }) => marketId)).toEqual([`${address}:1`])
    expect(await walk([{ ...pool, contractAddress: 'none' }, { question: 'x' }], null)).toEqual([])
  })

  test('in another token has its volume in that token, or none when the decimals are unknown', async () => {
    const volumeOf = async (token: unknown) =>
      (await walk([{ ...pool, token }], () => 2_000_000_000_000_000_000n))[0]!.markets[0]!.volume
    expect(await volumeOf({ tokenSymbol: 'RAIN', tokenDecimals: 18 })).toBe(2)
    expect(await volumeOf({ tokenSymbol: 'RAIN', tokenDecimals: null })).toBeNull()
  })
})

describe('a book', () => {
  const book = (contract: Contract | null, more: Row = {}) =>
    rain.data.fetchOrderBook(contextOf([{ ...pool, ...more }], contract).context, `${address}:1`)

  test('has one level per side, for ten of the base token', async () => {
    expect(
      await book((_name, [, side, amount]) =>
        amount === 10_000_000n ? (side === 1 ? 16_000_000n : 25_000_000n) : null,
      ),
    ).toMatchObject({
      bids: [[600_000, 25]],
      asks: [[625_000, 16]],
    })
  })

  test('has no side that the contract does not quote, and is empty when the pool is closed', async () => {
    expect(await book((_name, [, side]) => (side === 1 ? 16_000_000n : null))).toMatchObject({
      bids: [],
      asks: [[625_000, 16]],
    })
    expect(await book(() => 0n)).toMatchObject({ bids: [], asks: [] })
    expect(await book(quiet, { status: 'Closed' })).toMatchObject({ bids: [], asks: [] })
    expect(await book(quiet, { token: null })).toMatchObject({ bids: [], asks: [] })
  })

  test('is a fault when crossed, and not supported without a node', async () => {
    await expect(book(() => 40_000_000n)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await expect(book(null)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  })

  test('of an unknown option or pool is null', async () => {
    const { context } = contextOf([pool], quiet)
    for (const id of [`${address}:9`, `0x${'1'.repeat(40)}:1`, 'x', address])
      expect(await rain.data.fetchOrderBook(context, id)).toBeNull()
  })

  test.each([{ error: { message: 'execution reverted' } }, { result: '0x' }, { result: '0x01' }, {}, 'no'])(
    'a node answer %j is a fault',
    async (body) => {
      const { context } = contextOf([pool], quiet)
      const http = { request: async () => ({ status: 200, headers: {}, body }) }
      const calls = [{ pool: address, functionName: 'optionTotalFunds', args: [1n] } as const]
      await expect(callPools({ ...context, http }, calls)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    },
  )
})

describe('a trade', () => {
  const market = { marketId: `${address}:2`, sourceMetadata: { collateralDecimals: 6 } } as unknown as Market
  const wallet = '0x1111111111111111111111111111111111111111'
  const tradeOf = (event: ChainEvent) => chainTrades.tradeOf(market, event)
  const entry = (more: Row = {}): ChainEvent => ({
    name: 'EnterOption',
    args: { option: 2n, optionSide: 1, baseAmount: 3_000_000n, sharesAmount: 4_000_000n, wallet, ...more },
  })
  const executed = (name: string, more: Row = {}): ChainEvent => ({
    name,
    args: {
      orderOption: 2n,
      orderOptionSide: 1,
      orderPrice: 400_000_000_000_000_000n,
      sharesAmount: 5_000_000n,
      baseAmount: 2_000_000n,
      orderID: 7n,
      maker: address,
      taker: wallet,
      ...more,
    },
  })

  test('is converted to Yes, whichever side was traded', () => {
    expect(tradeOf(entry())).toEqual({
      bookId: `${address}:2`,
      priceMicros: 750_000,
      shares: 4,
      type: 'Buy',
      usd: 3,
      maker: null,
      wallet,
      counterparty: null,
    })
    expect(tradeOf(entry({ optionSide: 2 }))).toMatchObject({ priceMicros: 250_000, type: 'Sell', usd: 3 })
    expect(tradeOf(executed('ExecuteSellOrder'))).toMatchObject({
      priceMicros: 400_000,
      shares: 5,
      type: 'Buy',
      maker: address,
      wallet,
    })
    expect(tradeOf(executed('ExecuteBuyOrder'))).toMatchObject({ type: 'Sell' })
    expect(tradeOf(executed('ExecuteBuyOrder', { orderOptionSide: 2 }))).toMatchObject({
      priceMicros: 600_000,
      type: 'Buy',
    })
  })

  test('of another option, without a side or shares, or with unknown decimals is ignored', () => {
    for (const none of [
      entry({ option: 1n }),
      entry({ optionSide: 3 }),
      entry({ sharesAmount: 0n }),
      { name: 'SellOption', args: entry().args },
    ]) {
      expect(tradeOf(none)).toBeNull()
    }
    expect(chainTrades.tradeOf({ ...market, sourceMetadata: {} }, entry())).toBeNull()
    expect(tradeOf(entry({ baseAmount: 9_000_000n }))).toMatchObject({ priceMicros: null })
  })
})

describe('the lab', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab({ clock: new ManualClock(), seed: 'rain', venues: ['rain'], ratePerSecond: 0 })
  })
  afterAll(() => lab.stop())

  test('writes the simulator’s trades to its chain, where they are read back unchanged', () => {
    const { engine, listing, chain } = lab.rain
    const option = listing.options.find(({ key }) => engine.statusOf(key) === 'open')!
    const live = engine.market(option.key)!
    const before = live.trades.length
    engine.run(option.key, 200)
    chain.mine()
    const marketId = `${option.pool.address}:${option.option}`
    const market = {
      marketId,
      outcomes: idsOf(marketId),
      sourceMetadata: { collateralDecimals: 6 },
    } as unknown as Market
    const block = { number: 1, hash: '0x', parentHash: '0x', timestampMs: 1_790_000_000_000 }
    const read = chain
      .logs(0, chain.head.number, () => true)
      .map(({ log, index }) =>
        tradeOfLog(
          { venue: 'rain', chain: chainTrades, recvTs: 0 },
          [market],
          { ...log, blockHash: '0x', logIndex: index, transactionHash: '0x' } as never,
          block as never,
        ),
      )
    const real = live.trades.slice(before)
    expect(read.map((trade) => [trade!.data.price, trade!.data.shares, trade!.data.type])).toEqual(
      real.map(({ priceMicros, size, takerBuysYes }) => [priceMicros / 1e6, size, takerBuysYes ? 'Buy' : 'Sell']),
    )
    expect(real.length).toBeGreaterThan(5)
  })
})
