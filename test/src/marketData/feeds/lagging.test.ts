// Nodes of one chain that are not equally up to date: a shown round is never taken back, and a round that a node lacks is not a gap.
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { ChainlinkTickers } from '#actors/feeds/chainlinkTickers'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { aggregated } from '#lab/chain/multicall'
import { LabAggregator } from '#lab/feeds/aggregator'
import { createChainlinkFeed } from '#marketData/feeds/index'
import type { ChainNode } from '#net/chainNode'

const address = '0x6ce185860a4963106506C203335A2910413708e9'
const symbol = 'BTC/USD'
const recent = 1_001

/** Two nodes; the first that answers is used until it fails. `rounds`: the initial rounds of each. */
function open(...rounds: [number] | [number, number]) {
  const clock = new ManualClock(Date.UTC(2026, 10, 23))
  const seconds = () => Math.floor(clock.now() / 1_000)
  const nodes = rounds.map((count) => {
    const proxy = new LabAggregator({ address, description: 'BTC / USD' })
    for (let n = 1; n <= count; n++) proxy.answer(100_000 + n, seconds() - 600 + n)
    return { proxy, isDown: false, behindSeconds: 0, requests: 0, onResponse: (): void => undefined }
  })
  let first = 0
  const call = async ({ data }: { data: string }): Promise<Hex> => {
    for (const at of nodes.map((_, n) => (first + n) % nodes.length)) {
      const node = nodes[at]!
      node.requests++
      if (node.isDown) continue
      first = at
      const answer = aggregated(data as Hex, (_, each) => node.proxy.read(each), seconds() - node.behindSeconds)
      await Promise.resolve()
      node.onResponse()
      return answer
    }
    throw new Fault('NETWORK_ERROR', 'away')
  }
  const feed = createChainlinkFeed({
    chain: { name: 'arbitrum', chainId: 42_161, proxies: { [symbol]: address }, sequencer: null } as never,
    nodes: {
      count: nodes.length,
      now: () => ({ exchange: 'chainlink', call }) as unknown as ChainNode,
      turn() {
        first = (first + 1) % nodes.length
      },
      answered: () => first,
    },
    staleSeconds: 90_000,
    clock,
  })
  const numberOf = (roundId: string): number => Number(BigInt(roundId) & ((1n << 64n) - 1n))
  return {
    ...{ clock, seconds, nodes, feed },
    newest: async () => numberOf((await feed.fetchOracleRound(symbol)).roundId),
    ticker: async () => (await feed.fetchTickers([symbol]))[0]!,
    history: async (limit = 10) =>
      (await feed.fetchOracleHistory(symbol, limit)).map(({ roundId }) => numberOf(roundId)),
  }
}
const refused = { code: 'FEED_UPSTREAM' }

it('returns a history without gaps, however fast rounds arrive and however slow nodes are', async () => {
  const { clock, seconds, nodes, history } = open(60, 60)
  // Each response takes seven tenths of a second and a new round arrives.
  for (const node of nodes)
    node.onResponse = () => {
      clock.advance(700)
      for (const { proxy } of nodes) proxy.answer(200_000, seconds())
    }
  let before = 0
  for (let n = 0; n < 40; n++) {
    clock.advance(50)
    const ids = await history()
    expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => ids[0]! - i))
    expect(ids[0]).toBeGreaterThanOrEqual(before)
    before = ids[0]!
  }
})

it('does not read a history from a node that lacks its newest round', async () => {
  const { nodes, history } = open(60, 50)
  const [good] = nodes
  // Between the two reads the good node is down for a moment: the other one is used, then the good one again.
  good!.onResponse = () => Object.assign(good!, { isDown: good!.requests === 1 })
  nodes[1]!.onResponse = () => Object.assign(good!, { isDown: false })
  expect(await history()).toEqual([60, 59, 58, 57, 56, 55, 54, 53, 52, 51])
})

it('a lagging node yields no newest round and no valid price, and the better node is retried each time', async () => {
  const { clock, seconds, nodes, newest, ticker, history } = open(96, 505)
  const [lagging, good] = nodes
  lagging!.isDown = true
  expect([await newest(), (await ticker()).last]).toEqual([505, 100_505])
  Object.assign(lagging!, { isDown: false })
  good!.isDown = true
  for (let n = 0; n < 3; n++) {
    clock.advance(recent)
    await expect(newest()).rejects.toMatchObject(refused)
    await expect(history()).rejects.toMatchObject(refused)
    const { last, asOf, info } = await ticker()
    expect([last, info.unproven, Date.parse(asOf) <= clock.now()]).toEqual([null, 'node behind', true])
  }
  good!.isDown = false
  clock.advance(recent)
  expect([await newest(), (await ticker()).last, (await history())[0]]).toEqual([505, 100_505, 505])
  // A node lags behind what was shown, not behind the first node.
  good!.isDown = true
  for (let n = 96; n < 510; n++) lagging!.proxy.answer(300_000, seconds())
  clock.advance(recent)
  expect(await newest()).toBe(510)
})

it('a node that lacks every shown round is behind, and the other one is used', async () => {
  const { clock, nodes, newest, ticker, history } = open(60, 60)
  expect(await newest()).toBe(60)
  // Like a syncing node: no round, no name.
  const [empty] = nodes
  for (const id of [...empty!.proxy.rounds.keys()]) empty!.proxy.rounds.delete(id)
  clock.advance(recent)
  expect([await newest(), (await ticker()).last, (await history())[0]]).toEqual([60, 100_060, 60])
})

it('forgets a shown round that no node confirms for an hour', async () => {
  const { clock, nodes, newest } = open(96, 505)
  nodes[0]!.isDown = true
  expect(await newest()).toBe(505)
  Object.assign(nodes[0]!, { isDown: false })
  nodes[1]!.isDown = true
  clock.advance(3_599_000)
  await expect(newest()).rejects.toMatchObject(refused)
  clock.advance(recent)
  expect(await newest()).toBe(96)
})

it('ignores a round from the future, its date, and its number', async () => {
  const { clock, seconds, nodes, newest, ticker, history } = open(60, 60)
  const ahead = { answer: 1n, startedAt: seconds(), updatedAt: seconds() + 86_400 }
  for (const { proxy } of nodes) proxy.write(90, ahead)
  await expect(newest()).rejects.toMatchObject(refused)
  await expect(history()).rejects.toMatchObject(refused)
  const { last, asOf, info } = await ticker()
  expect([last, info.unproven, Date.parse(asOf) <= clock.now()]).toEqual([null, 'dated ahead', true])
  for (const { proxy } of nodes) {
    proxy.rounds.delete(90)
    proxy.newest = 60
  }
  clock.advance(recent)
  expect(await newest()).toBe(60)
})

it('a node behind the chain yields no valid price, even with its first response, and another node is used', async () => {
  const { clock, nodes, newest, ticker, history } = open(96, 505)
  const [syncing, good] = nodes
  syncing!.behindSeconds = 3_600
  expect([await newest(), (await ticker()).last, (await history())[0]]).toEqual([505, 100_505, 505])
  good!.isDown = true
  clock.advance(recent)
  await expect(newest()).rejects.toMatchObject(refused)
  await expect(history()).rejects.toMatchObject(refused)
  expect((await ticker()).info.unproven).toBe('node behind')
  // Also alone, and before anything was shown.
  const alone = open(96)
  alone.nodes[0]!.behindSeconds = 121
  await expect(alone.newest()).rejects.toMatchObject(refused)
  expect(await alone.ticker()).toMatchObject({ last: null, info: { unproven: 'node behind' } })
  // Its earlier responses do not block its later ones.
  alone.nodes[0]!.behindSeconds = 0
  alone.clock.advance(recent)
  expect([await alone.newest(), (await alone.ticker()).last]).toEqual([96, 100_096])
})

it('changed decimals yield no price while only one node reports them', async () => {
  const { clock, seconds, nodes, newest, ticker, history } = open(60, 60)
  expect((await ticker()).last).toBe(100_060)
  const [faulty, good] = nodes
  faulty!.proxy.decimals = 6
  clock.advance(recent)
  expect((await ticker()).last).toBe(100_060)
  good!.isDown = true
  clock.advance(recent)
  expect(await ticker()).toMatchObject({ last: null, info: { unproven: 'decimals in doubt' } })
  await expect(newest()).rejects.toMatchObject(refused)
  await expect(history()).rejects.toMatchObject(refused)
  // Also after hours.
  for (let n = 0; n < 5; n++) {
    clock.advance(3_600_000)
    faulty!.proxy.answer(1, seconds())
    expect((await ticker()).last).toBeNull()
  }
  // Two nodes that agree are trusted.
  Object.assign(good!, { isDown: false })
  good!.proxy.decimals = 6
  for (const { proxy } of nodes)
    proxy.write(90, { ...proxy.rounds.get(60)!, answer: 123_000_000n, updatedAt: seconds() })
  clock.advance(recent)
  expect((await ticker()).last).toBe(123)
})

it('a new aggregator may have other decimals if the price is continuous', async () => {
  const { clock, seconds, nodes, ticker } = open(60)
  const [{ proxy }] = nodes as [(typeof nodes)[number]]
  expect((await ticker()).last).toBe(100_060)
  Object.assign(proxy, { phase: 6, decimals: 18 })
  clock.advance(recent)
  // The old answers with the new decimals.
  expect(await ticker()).toMatchObject({ last: null, info: { unproven: 'decimals in doubt' } })
  proxy.answer(100_100, seconds())
  clock.advance(recent)
  expect((await ticker()).last).toBeCloseTo(100_100, 3)
})

it('unusual decimals need a second node that reports them', async () => {
  const alone = open(60)
  alone.nodes[0]!.proxy.decimals = 6
  expect(await alone.ticker()).toMatchObject({ last: null, info: { unproven: 'decimals in doubt' } })
  const both = open(60, 60)
  for (const { proxy } of both.nodes) proxy.decimals = 6
  expect((await both.ticker()).last).toBe(10_006_000)
  both.nodes[0]!.isDown = true
  both.clock.advance(recent)
  expect((await both.ticker()).last).toBe(10_006_000)
})

it('a subscriber loses its price with the next poll when the proxy has another description', async () => {
  const { clock, nodes, feed } = open(60)
  const lastPrices: (number | null)[] = []
  const tickers = new ChainlinkTickers({ fetch: feed.lookAt, clock, log: silentLog })
  tickers.watch(symbol, ({ last }) => lastPrices.push(last))
  const look = async () => {
    clock.advance(5_000)
    for (let settled = 0; settled < 30; settled++) await Promise.resolve()
  }
  await look()
  expect(lastPrices.at(-1)).toBe(100_060)
  nodes[0]!.proxy.description = 'ETH / USD'
  await look()
  expect(lastPrices.at(-1)).toBeNull()
  await expect(feed.fetchTickers([symbol])).rejects.toMatchObject(refused)
  tickers.stop()
})
