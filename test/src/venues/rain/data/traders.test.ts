// Trades from logs: how far one response reads back, for any block range limit of the node.
import { encodeAbiParameters, toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Market } from '#schemas/market'
import { answeringVenue } from '#test/support/answeringVenue'
import { chainTrades } from '#venues/rain/data/chainTrades'
import { traders } from '#venues/rain/data/traders'
import { chainId, confirmations, sides } from '#venues/rain/ids'

const pool = '0x5921a9201ca251e9596ede57b67125d5c42c6077'
const market = {
  marketId: `${pool}:1`,
  contractAddress: pool,
  outcomes: [{ outcomeId: 'yes' }, { outcomeId: 'no' }],
  sourceMetadata: { collateral: 'USDT', collateralDecimals: 6 },
} as unknown as Market
const wallet = `0x${'3'.repeat(40)}` as const
const hex = (n: number): string => `0x${n.toString(16)}`
const hashOf = (block: number): string => `0x${block.toString(16).padStart(64, '0')}`
const entry = chainTrades.events.find(({ name }) => name === 'EnterOption')!

function logOf(block: number) {
  const data = encodeAbiParameters(entry.inputs, [1n, sides.yes, 4_000_000n, 10_000_000n, wallet])
  const at = { blockNumber: hex(block), blockHash: hashOf(block), transactionHash: hashOf(block), logIndex: '0x0' }
  return { address: pool, topics: [toEventSelector(entry)], data, ...at }
}

/** A node that accepts a number of blocks per request. */
function chain({ head, traded, takes }: { head: number; traded: number[]; takes: number }) {
  const venue = answeringVenue('rain', ['RPC'])
  const ranges: number[] = []
  const answers: Record<string, (params: never) => unknown> = {
    eth_chainId: () => hex(chainId),
    eth_blockNumber: () => hex(head),
    eth_getBlockByNumber: ([number]: [string]) => ({ number, hash: hashOf(Number(number)), timestamp: number }),
    eth_getLogs([{ fromBlock, toBlock }]: [{ fromBlock: string; toBlock: string }]) {
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      ranges.push(to - from + 1)
      if (to - from + 1 > takes) return null
      return traded.filter((block) => block >= from && block <= to).map(logOf)
    },
  }
  const answer = ({ id, method, params }: { id: number; method: string; params: never }) => {
    const result = answers[method]!(params)
    const error = { code: -32_005, message: `query exceeds max block range ${takes}` }
    return { jsonrpc: '2.0', id, ...(result === null ? { error } : { result }) }
  }
  venue.answer = ({ body }) => ({ body: Array.isArray(body) ? body.map(answer) : answer(body as never) })
  return { venue, ranges }
}

/** The blocks of all trades, page by page. */
async function walk({ venue }: ReturnType<typeof chain>, pagesMax: number): Promise<number[]> {
  const seen: number[] = []
  let after: Awaited<ReturnType<NonNullable<typeof traders.fetchTrades>>>['next'] = null
  for (let page = 0; page < pagesMax; page++) {
    const { rows, next } = await traders.fetchTrades!(venue.context, market, { limit: 2, after })
    seen.push(...rows.map(({ ts }) => ts / 1_000))
    if (next === null) return seen
    after = next
  }
  throw new Error(`no end after ${pagesMax} pages`)
}

describe('trades', () => {
  const head = 6_500 + confirmations
  const traded = [6_500, 6_499, 5_000, 1_500, 0]

  it.each([2_000, 1_999, 100_000])('are read from a node that accepts %i blocks per request', async (takes) => {
    expect(await walk(chain({ head, traded, takes }), 20)).toEqual(traded)
  })

  it('are read from a node that accepts one block per request, with progress in every response', async () => {
    const one = chain({ head: 3 + confirmations, traded: [3, 0], takes: 1 })
    expect(await walk(one, 20)).toEqual([3, 0])
    const far = chain({ head, traded, takes: 1 })
    const { next } = await traders.fetchTrades!(far.venue.context, market, { limit: 2, after: null })
    expect(next).toMatchObject({ block: expect.toSatisfy((block: number) => block < 6_500) })
  })

  it('need a dozen requests when there are none, and a rejected range size is not repeated', async () => {
    const refusing = chain({ head: 200_000, traded: [], takes: 2_000 })
    await traders.fetchTrades!(refusing.venue.context, market, { limit: 2, after: null })
    expect(refusing.ranges).toEqual([2_000, 4_000, ...Array.from({ length: 10 }, () => 2_000)])
    const generous = chain({ head: 200_000, traded: [], takes: 100_000 })
    await traders.fetchTrades!(generous.venue.context, market, { limit: 2, after: null })
    expect(generous.ranges).toEqual([2_000, 4_000, 8_000, ...Array.from({ length: 9 }, () => 10_000)])
  })

  it('fail with the node’s error when it rejects everything', async () => {
    const { venue } = chain({ head, traded, takes: 0 })
    await expect(traders.fetchTrades!(venue.context, market, { limit: 2, after: null })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
  })
})
