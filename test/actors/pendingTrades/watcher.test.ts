// The watcher of a node: each settlement is published when it is seen and again when its outcome is known, whatever happens to its chain
// and node.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PendingWatcher } from '#actors/pendingTrades/watcher'
import { ManualClock } from '#core/clock'
import { LabChain } from '#lab/chain/chain'
import { Mempool, type PendingTransaction } from '#lab/chain/mempool'
import { PubSubNode } from '#lab/chain/pubSubNode'
import { Refusal } from '#lab/chain/rpcHandlers'
import { logsOf, settle } from '#lab/polymarket/exchange'
import { createPrng } from '#lab/prng'
import type { PendingTradeUpdate } from '#marketData/pendingTrades/index'
import { pendingTrades } from '#venues/polymarket/data/pendingTrades'
import { randomMatch, settlers } from '../../support/matches.ts'
import { type NodeConnector, nodeConnector } from '../../support/nodeConnector.ts'

const blockMs = 2_000
const { to, encode } = settlers[0]!

let clock: ManualClock
let chain: LabChain
let mempool: Mempool
let node: PubSubNode
let connector: NodeConnector
let watcher: PendingWatcher
let published: PendingTradeUpdate[]
let made: number
/** In its log. */
let logged: string[]

/** Everything that waits for nothing but promises. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 200; i++) await Promise.resolve()
}
const wait = async (ms: number): Promise<void> => {
  clock.advance(ms)
  await turns()
}
/** Blocks, each at its time. */
async function mine(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) {
    await wait(blockMs)
    mempool.mine()
    await turns()
  }
}
const hashOf = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`
function settlement(over: Partial<PendingTransaction> = {}, name = `match ${made}`): PendingTransaction {
  const match = randomMatch(name)
  const filled = settle(match, { exchange: to })!
  const hash = hashOf(++made)
  const call = { from: `0x${made.toString(16).padStart(40, 'a')}`, to, input: encode(match), nonce: 0 }
  return { hash, call, logs: logsOf(filled, to), outcome: 'settles', ...over }
}
/** What was published of a transaction's first fill, in order. */
const storyOf = ({ hash }: PendingTransaction) =>
  published.filter(({ data }) => data.id === `${hash}:0`).map(({ state }) => state)
const start = async (manifest = pendingTrades, chainId = 137): Promise<void> => {
  chain = new LabChain({ seed: 'pending', clock })
  chain.finalAfter = 2
  mempool = new Mempool(chain)
  node = new PubSubNode(mempool, chainId)
  connector = nodeConnector(node)
  const { openSocket } = connector
  const log = { warn: (fields: object, text: string) => logged.push(JSON.stringify(fields), text) } as never
  const options = { venue: 'polymarket', manifest, url: 'ws://node/secret', openSocket, clock, log }
  watcher = new PendingWatcher({ ...options, random: () => 0.5 })
  watcher.listen((updates) => published.push(...updates))
  await turns()
}

beforeEach(async () => {
  clock = new ManualClock()
  published = []
  made = 0
  logged = []
  await start()
})
afterEach(() => {
  watcher.stop()
  expect(clock.pendingCount, 'timers without an owner').toBe(0)
})

describe('a settlement', () => {
  it('is published with every fill when seen, as confirmed when its block is final, and not again', async () => {
    const seen = settlement()
    mempool.submit(seen)
    const fills = pendingTrades.fillsOf(to, seen.call.input)!
    expect(published.map(({ data }) => data.id)).toEqual(fills.map((_, i) => `${seen.hash}:${i}`))
    expect(published.map(({ n }) => n)).toEqual(fills.map((_, i) => i + 1))
    expect(published[0]).toMatchObject({
      ...{ venue: 'polymarket', bookId: fills[0]!.bookId, seenAt: clock.now(), state: { status: 'pending' } },
      data: { transactionHash: seen.hash, timestamp: clock.now(), shares: fills[0]!.shares, usd: fills[0]!.usd },
    })
    await mine()
    const { number } = chain.head
    expect(published).toHaveLength(fills.length)
    await mine(2)
    expect(storyOf(seen)).toEqual([{ status: 'pending' }, { status: 'confirmed', blockNumber: number }])
    expect(published).toHaveLength(2 * fills.length)
    expect(published.slice(fills.length).map(({ data }) => data)).toEqual(
      published.slice(0, fills.length).map(({ data }) => data),
    )
    mempool.announce(seen)
    await mine(40)
    expect(published).toHaveLength(2 * fills.length)
    expect(watcher.waiting).toBe(0)
    expect(watcher.counts).toEqual({ confirmed: 1, timeout: 0, reverted: 0 })
  })

  it('that has no effect in its block is dropped as reverted', async () => {
    const seen = settlement({ outcome: 'reverts' })
    mempool.submit(seen)
    await mine(10)
    expect(storyOf(seen)).toEqual([{ status: 'pending' }, { status: 'dropped', dropReason: 'reverted' }])
  })

  it('that no block includes is dropped as timed out after a minute, and not published again', async () => {
    const seen = settlement({ outcome: 'waits' })
    mempool.submit(seen)
    await mine(29)
    expect(storyOf(seen)).toHaveLength(1)
    await mine(10)
    const story = [{ status: 'pending' }, { status: 'dropped', dropReason: 'timeout' }]
    expect(storyOf(seen)).toEqual(story)
    mempool.announce(seen)
    mempool.submit({ ...seen, outcome: 'settles' })
    await mine(10)
    expect(storyOf(seen)).toEqual(story)
  })

  it('that another transaction replaces is dropped once that one is final, long before the minute; the other is published as itself', async () => {
    const first = settlement({ outcome: 'waits' })
    mempool.submit(first)
    await wait(1_000)
    const second = settlement({ call: { ...first.call, input: encode(randomMatch('match 7')) } })
    mempool.submit(second)
    await mine(10)
    expect(storyOf(first)).toEqual([{ status: 'pending' }, { status: 'dropped', dropReason: 'timeout' }])
    expect(storyOf(second).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('whose block leaves the chain is confirmed once, in the block that stays', async () => {
    const seen = settlement()
    mempool.submit(seen)
    await mine()
    mempool.reorganise(1, () => true)
    await turns()
    await mine(6)
    const found = chain.find(seen.hash)!
    expect(storyOf(seen)).toEqual([{ status: 'pending' }, { status: 'confirmed', blockNumber: found.block.number }])
  })

  it('that leaves the chain for good is dropped', async () => {
    const seen = settlement()
    mempool.submit(seen)
    await mine()
    mempool.reorganise(1, () => false)
    await turns()
    await mine(40)
    expect(storyOf(seen)).toEqual([{ status: 'pending' }, { status: 'dropped', dropReason: 'timeout' }])
  })

  it('is confirmed by depth alone when the node names no final block', async () => {
    watcher.stop()
    await start({ ...pendingTrades, finalDepth: 5 })
    chain.finalAfter = null
    const seen = settlement()
    mempool.submit(seen)
    await mine(5)
    expect(storyOf(seen)).toHaveLength(1)
    await mine(2)
    expect(storyOf(seen).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('first seen after its own block is not published, because it is no longer pending', async () => {
    const late = settlement()
    mempool.submit(late, { isPrivate: true })
    await mine()
    mempool.announce(late)
    expect(published).toEqual([])
  })
})

describe('a node', () => {
  it('that is unavailable pauses everything, and waiting settlements are resolved when it is back', async () => {
    const [mined, waiting] = [settlement(), settlement({ outcome: 'waits' })]
    for (const each of [mined, waiting]) mempool.submit(each)
    node.faults.isAway = true
    node.cut()
    const unheard = settlement()
    mempool.submit(unheard)
    await mine(20)
    expect(storyOf(mined)).toHaveLength(1)
    expect(watcher.isWatching).toBe(false)
    expect(watcher.disclosure.completeness).toContain('paused')
    node.faults.isAway = false
    await mine(25)
    expect(storyOf(mined).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
    expect(storyOf(waiting)).toEqual([{ status: 'pending' }, { status: 'dropped', dropReason: 'timeout' }])
    expect(storyOf(unheard)).toEqual([])
    expect(watcher.disclosure.completeness).not.toContain('paused')
  })

  it('that stays unavailable leaves nothing waiting forever: settlements are dropped after ten minutes, and not published again', async () => {
    const seen = settlement()
    mempool.submit(seen)
    node.faults.isAway = true
    node.cut()
    await mine(299)
    expect(storyOf(seen)).toHaveLength(1)
    await mine(3)
    node.faults.isAway = false
    await mine(30)
    expect(storyOf(seen)).toEqual([{ status: 'pending' }, { status: 'dropped', dropReason: 'timeout' }])
  })

  it.each([
    ['is of another chain', () => ({ chainId: 1 })],
    ['sends only transaction hashes', () => ({ sendsHashesOnly: true })],
  ])('that %s is rejected, retried with growing delays, and causes no messages', async (_title, faults) => {
    Object.assign(node.faults, faults())
    node.cut()
    for (let i = 0; i < 60; i++) {
      mempool.submit(settlement())
      await mine()
    }
    expect(published).toEqual([])
    expect(connector.tried).toBeGreaterThan(3)
    expect(connector.tried).toBeLessThan(20)
  })

  it('that sends nothing any more is replaced by a new connection', async () => {
    node.faults.isMute = true
    await mine(12)
    node.faults.isMute = false
    await mine(3)
    const seen = settlement()
    mempool.submit(seen)
    await mine(5)
    expect(storyOf(seen).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('that does not respond is queried again later', async () => {
    const seen = settlement()
    mempool.submit(seen)
    node.faults.isSilent = true
    await mine(8)
    expect(storyOf(seen)).toHaveLength(1)
    node.faults.isSilent = false
    await mine(8)
    expect(storyOf(seen).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('that is behind its chain proves nothing by missing data', async () => {
    const seen = settlement()
    mempool.submit(seen)
    await wait(90_000)
    // An old block.
    node.broadcast(
      JSON.stringify({
        ...{ jsonrpc: '2.0', method: 'eth_subscription' },
        params: { subscription: '0x1', result: { number: '0x5', timestamp: '0x1' } },
      }),
    )
    await turns()
    expect(storyOf(seen)).toHaveLength(1)
  })

  it.each([
    ['returns invalid receipts', 'eth_getTransactionReceipt', () => ({ transactionHash: 'x' })],
    ['returns another transaction’s receipt', 'eth_getTransactionReceipt', () => receiptOf(hashOf(99))],
    ['returns no nonce', 'eth_getTransactionCount', () => 'many'],
    ['returns an invalid final block', 'eth_getBlockByNumber', () => ({ number: 12 })],
  ])('that %s is not trusted, and is queried again', async (_title, method, wrongResult) => {
    const seen = settlement()
    mempool.submit(seen)
    node.faults.falsifiers = new Map([[method, wrongResult]])
    await mine(10)
    if (method !== 'eth_getTransactionCount') expect(storyOf(seen)).toHaveLength(1)
    node.faults.falsifiers = new Map()
    await mine(12)
    expect(storyOf(seen).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('that refuses calls is queried again, without its error text in the log', async () => {
    mempool.submit(settlement())
    node.faults.falsifiers = new Map([
      [
        'eth_getTransactionReceipt',
        () => {
          throw new Refusal(-32_005, 'too many requests for key secret')
        },
      ],
    ])
    await mine(8)
    expect(storyOf({ hash: hashOf(1) } as PendingTransaction)).toHaveLength(1)
    expect(logged.join(' ')).toContain('refuses a call, with -32005')
    node.faults.falsifiers = new Map()
    node.faults.isAway = true
    node.cut()
    await mine(2)
    expect(logged.join(' ')).toContain('pending trades are paused')
    expect(logged.join(' ')).not.toContain('secret')
  })

  it('that sends invalid data is ignored as far as the data is invalid', async () => {
    const subscriptions = ['0x1', '0x2', '0x3', '0x4']
    const results = [
      null,
      1,
      [],
      {},
      'x',
      { to },
      { to, hash: 1 },
      { to: 5 },
      { number: '0xzz' },
      { transactionHash: 'x' },
    ]
    for (const subscription of subscriptions)
      for (const result of results.filter((each) => typeof each !== 'string'))
        node.broadcast(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }))
    for (const text of ['', '[', '[]', 'null', '{"method":"eth_subscription"}', '{"id":1}', 'x'.repeat(3_000_000)])
      node.broadcast(text)
    const { input } = settlement().call
    const waiting = {
      hash: hashOf(1),
      from: `0x${'b'.repeat(40)}`,
      to: to.toUpperCase().replace('0X', '0x'),
      input,
      nonce: '0x0',
    }
    for (const broken of [{ hash: '0x1' }, { from: 'me' }, { nonce: 'x' }, { input: `0x${'3c'.repeat(400_000)}` }])
      node.broadcast(pendingOf({ ...waiting, ...broken }))
    expect(published).toEqual([])
    node.broadcast(pendingOf(waiting))
    expect(published.length).toBeGreaterThan(0)
  })
})

const receiptOf = (transactionHash: string) => ({ transactionHash, blockNumber: '0x1', status: '0x1', logs: [] })
const pendingOf = (result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x3', result } })

describe('limits', () => {
  it('do not publish settlements beyond the maximum, count them, and resolve those that were published', async () => {
    const from = (n: number) => `0x${n.toString(16).padStart(40, 'b')}`
    const { input } = settlement({}, 'match 3').call
    const known = settlement()
    mempool.submit(known)
    await mine(5)
    expect(watcher.counts.confirmed).toBe(1)
    const before = published.length
    for (let n = 0; n < 550; n++)
      node.broadcast(pendingOf({ hash: hashOf(10_000 + n), from: from(n), to, input, nonce: '0x0' }))
    // Unknown senders may take a quarter of the slots.
    expect(watcher.waiting).toBe(500)
    expect(watcher.refused).toBe(50)
    for (let n = 0; n < 1_550; n++)
      node.broadcast(pendingOf({ hash: hashOf(20_000 + n), from: known.call.from, to, input, nonce: '0x9' }))
    expect(watcher.waiting).toBe(2_000)
    expect(watcher.refused).toBe(100)
    const pending = published.length - before
    await mine(60)
    expect(watcher.waiting).toBe(0)
    expect(published).toHaveLength(before + 2 * pending)
    expect(watcher.counts.timeout).toBe(2_000)
  })

  it('count a settlement whose log differs from its call', async () => {
    const [one, other] = [settlement(), settlement()]
    mempool.submit({ ...one, logs: other.logs })
    mempool.submit(other)
    await mine(6)
    expect(watcher.misread).toBe(1)
    expect(storyOf(one).map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })
})

describe('the disclosure', () => {
  it('is the measured lead, null before the first measurement, and the share of settlements that were seen', async () => {
    expect(['polymarket', 'kalshi'].map((venue) => watcher.watches(venue))).toEqual([true, false])
    expect(watcher.disclosure).toMatchObject({ provenance: 'mempool', latencyMs: null })
    expect(watcher.disclosure.completeness).toContain(pendingTrades.completeness)
    expect(watcher.disclosure.completeness).toContain('not measured yet')
    await mine(10)
    for (let n = 0; n < 25; n++) {
      mempool.submit(settlement({}, 'match 3'), { isPrivate: n % 5 === 0 })
      await mine()
    }
    expect(watcher.disclosure).toMatchObject({ latencyMs: blockMs })
    expect(watcher.disclosure.completeness).toContain('of the last 25, 20 were')
  })
})

const seeds = process.env.CROSSBOOK_TEST_LONG === '1' ? 200 : 8

it(`${seeds} random chains: every settlement that was seen is published twice, with the correct outcome`, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    watcher.stop()
    clock = new ManualClock()
    published = []
    made = 0
    await start()
    const random = createPrng(`chain ${seed}`)
    const sent: PendingTransaction[] = []
    for (let block = 0; block < 60; block++) {
      for (let n = random.int(4); n > 0; n--) {
        const outcome = (['settles', 'settles', 'settles', 'reverts', 'waits'] as const)[random.int(5)]!
        const replaced = sent.at(-1)
        const call = random.chance(0.15) && replaced !== undefined ? { call: replaced.call } : {}
        const each = settlement({ outcome, ...call }, `match ${random.int(20)}`)
        sent.push(each)
        mempool.submit(each, { isPrivate: random.chance(0.1) })
        if (random.chance(0.1)) mempool.announce(each)
      }
      if (random.chance(0.1)) mempool.reorganise(1 + random.int(2), () => random.chance(0.7))
      if (random.chance(0.05)) node.cut()
      node.faults.isAway = random.chance(node.faults.isAway ? 0.7 : 0.05)
      if (node.faults.isAway) node.cut()
      await mine()
    }
    node.faults.isAway = false
    await mine(80)
    expect(watcher.waiting, `seed ${seed}`).toBe(0)
    for (const each of sent) {
      const story = storyOf(each)
      if (story.length === 0) continue
      expect(
        story.map(({ status }) => status === 'pending'),
        `seed ${seed}`,
      ).toEqual([true, false])
      const found = chain.find(each.hash)
      const [, end] = story
      if (end!.status === 'confirmed') {
        expect(found?.block.number, `seed ${seed}`).toBe(end!.blockNumber)
        expect(found?.transaction.isReverted).toBeUndefined()
      } else if (end!.status === 'dropped' && end!.dropReason === 'reverted')
        expect(found?.transaction.isReverted).toBe(true)
      else expect(found, `seed ${seed}`).toBeNull()
    }
  }
})
