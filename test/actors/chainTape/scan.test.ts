// Reads a reorganizing chain through nodes that lag, fail and return wrong data: trades published and not withdrawn are those on the chain.
import { describe, expect, test } from 'vitest'
import { beforePublish, type Position } from '#actors/chainTape/position'
import { type ScanFrom, type Slot, type SuspectReason, scan } from '#actors/chainTape/scan'
import { ManualClock } from '#core/clock'
import { LabChain } from '#lab/chain/chain'
import { createAnswers, healthyNode, type NodeFaults } from '#lab/chain/rpcHandlers'
import { createPrng } from '#lab/prng'
import { type ChainLog, type ChainNode, createChainNode } from '#net/chainNode'
import { type Rpc, RpcRefusal } from '#net/rpc'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const begin = Date.UTC(2026, 10, 20)
const contract = `0x${'c0'.repeat(20)}`
const topic = `0x${'70'.repeat(32)}`
const confirmations = 2
const traded = { address: contract, topics: [topic], data: '0x' }

interface ReadTrade {
  id: string
  outcomeId: string
  transaction: string
}

/** A reader like the actor, with its position accessible. */
class Reader {
  position: Position | null = null
  /** The position a restart begins with. */
  kept: Position | null = null
  suspect: SuspectReason | null = null
  /** The tape. */
  readonly published = new Map<string, ReadTrade>()
  /** Every published id, as often as it was published. */
  readonly publishedIds: string[] = []
  readonly withdrawn: string[] = []
  lost = 0

  async turn(node: ChainNode, more: Partial<ScanFrom> = {}): Promise<Slot<ReadTrade>['kind']> {
    const { position, suspect } = this
    const from = { position, suspect, span: 50, addresses: [contract], topics: [topic], confirmations, ...more }
    const result = await scan<ReadTrade>(node, from, (log: ChainLog) => ({
      id: `${log.blockHash}:${log.logIndex}`,
      outcomeId: log.address,
      transaction: log.transactionHash,
    }))
    this.suspect = result.kind === 'doubt' ? result.suspect : null
    if (result.kind === 'read') {
      this.kept = beforePublish(position, result.position)
      for (const trade of result.trades) {
        this.publishedIds.push(trade.id)
        this.published.set(trade.id, trade)
      }
      this.position = result.position
    }
    if (result.kind === 'rolledBack') {
      for (const { id } of result.withdrawn) {
        this.withdrawn.push(id)
        this.published.delete(id)
      }
      if (result.isLost) this.lost++
      this.position = result.position
    }
    return result.kind
  }

  crash(): void {
    this.position = structuredClone(this.kept)
    this.suspect = null
  }

  async catchUp(node: ChainNode): Promise<void> {
    for (let turns = 0; turns < 500; turns++) if ((await this.turn(node)) === 'waiting') return
    throw new Error('never reached the head')
  }

  get transactions(): string[] {
    return [...this.published.values()].map(({ transaction }) => transaction).sort()
  }
}

function world(seed: string, more: { reorganises?: number; depthMax?: number } = {}) {
  const clock = new ManualClock(begin)
  const chain = new LabChain({ seed, clock, ...more })
  const faults: NodeFaults = healthyNode(1)
  const calls = new Map<string, number>()
  const answer = createAnswers(chain, faults, calls)
  const rpc: Rpc = {
    async call(method, params) {
      const { result, error } = answer({ id: 1, method, params }) as {
        result?: unknown
        error?: { code: number; message: string }
      }
      if (error !== undefined) throw new RpcRefusal('rain', method, { code: error.code, text: error.message })
      return result
    },
    batch: (calls) => Promise.all(calls.map(([method, params]) => rpc.call(method, params))),
  }
  const mine = (count: number) => {
    for (let n = 0; n < count; n++) {
      clock.advance(1_000)
      chain.mine()
    }
  }
  const onChain = () =>
    chain
      .logs(1, chain.head.number - confirmations, () => true)
      .map(({ transaction }) => transaction.hash)
      .sort()
  return { chain, faults, calls, rpc, node: createChainNode(rpc, 'rain'), mine, onChain }
}

/** A reader that has started. */
async function begun(more: Parameters<typeof world>[1] = {}) {
  const made = world('scan', more)
  made.mine(5)
  const reader = new Reader()
  expect(await reader.turn(made.node)).toBe('read')
  return { ...made, reader }
}

describe('a chain that only grows', () => {
  test('is read from the confirmed head on: each trade once, and only when confirmed', async () => {
    const { chain, node, mine, reader } = await begun()
    const { hash } = chain.send([traded])
    mine(1)
    await reader.catchUp(node)
    expect(reader.transactions).toEqual([])
    mine(confirmations)
    await reader.catchUp(node)
    await reader.catchUp(node)
    expect(reader.transactions).toEqual([hash])
    expect(reader.publishedIds).toHaveLength(1)
  })

  test('is read in bounded ranges, in the order of its logs', async () => {
    const { chain, node, mine, reader, faults } = await begun()
    faults.rangeMax = 10
    const sent = Array.from({ length: 60 }, () => {
      const { hash } = chain.send([traded])
      mine(1)
      return hash
    })
    mine(confirmations)
    await expect(reader.turn(node, { span: 11 })).rejects.toThrow(RpcRefusal)
    for (let n = 0; n < 8; n++) await reader.turn(node, { span: 10 })
    expect([...reader.published.values()].map(({ transaction }) => transaction)).toEqual(sent)
  })

  test('continues at its position after a restart', async () => {
    const { chain, node, mine, reader, onChain } = await begun()
    chain.send([traded, traded])
    mine(4)
    await reader.catchUp(node)
    const next = new Reader()
    next.position = JSON.parse(JSON.stringify(reader.position))
    chain.send([traded])
    mine(4)
    await next.catchUp(node)
    expect(next.publishedIds).toHaveLength(1)
    expect([...reader.transactions, ...next.transactions].sort()).toEqual(onChain())
  })
})

describe('a reorganisation', () => {
  test('deeper than the confirmations withdraws the vanished trades and publishes their replacements under other ids', async () => {
    const { chain, node, mine, reader, onChain } = await begun()
    const [stays, goes] = [chain.send([traded]), chain.send([traded])]
    mine(1 + confirmations)
    await reader.catchUp(node)
    expect(reader.published.size).toBe(2)
    const before = [...reader.published.keys()]
    chain.reorganise(confirmations + 1, ({ hash }) => hash !== goes.hash)
    mine(confirmations + 2)
    expect(await reader.turn(node)).toBe('doubt')
    expect(reader.published.size).toBe(2)
    expect(await reader.turn(node)).toBe('rolledBack')
    await reader.catchUp(node)
    expect(reader.withdrawn.sort()).toEqual(before.sort())
    expect(reader.transactions).toEqual([stays.hash])
    expect(reader.transactions).toEqual(onChain())
  })

  test('within the unconfirmed blocks changes nothing', async () => {
    const { chain, node, mine, reader } = await begun()
    chain.send([traded])
    mine(1)
    await reader.catchUp(node)
    chain.reorganise(confirmations - 1)
    mine(confirmations + 1)
    await reader.catchUp(node)
    expect(reader.withdrawn).toEqual([])
  })

  test('deeper than the remembered blocks is reported', async () => {
    const { chain, node, mine, reader } = await begun()
    chain.send([traded])
    mine(10)
    await reader.catchUp(node)
    const [only] = reader.position!.recent.slice(-1)
    reader.position = { ...reader.position!, settled: only!.number - 1, recent: [only!] }
    chain.reorganise(8)
    mine(3)
    while ((await reader.turn(node)) !== 'rolledBack');
    expect(reader.lost).toBe(1)
  })
})

describe('a node', () => {
  test('is not trusted when it is on its own fork for one response', async () => {
    const { chain, node, mine, reader, faults } = await begun()
    chain.send([traded])
    mine(4)
    await reader.catchUp(node)
    faults.falsifiers = new Map([
      ['eth_getBlockByNumber', (block) => ({ ...(block as object), hash: `0x${'66'.repeat(32)}` })],
    ])
    expect(await reader.turn(node)).toBe('doubt')
    faults.falsifiers = new Map()
    expect(await reader.turn(node)).toBe('waiting')
    expect(reader.withdrawn).toEqual([])
  })

  test('is waited for when it is behind what was read, or loses blocks', async () => {
    const { chain, node, mine, reader, faults } = await begun()
    mine(20)
    await reader.catchUp(node)
    faults.behind = 10
    expect(await reader.turn(node)).toBe('behind')
    faults.behind = 0
    chain.send([traded])
    mine(4)
    faults.falsifiers = new Map([['eth_getBlockByNumber', () => null]])
    expect(await reader.turn(node)).toBe('behind')
    faults.falsifiers = new Map()
    await reader.catchUp(node)
    expect(reader.published.size).toBe(1)
  })

  test.each<[string, string, (result: unknown) => unknown]>([
    [
      'logs of blocks that were not requested',
      'eth_getLogs',
      (logs) => (logs as object[]).map((log) => ({ ...log, blockNumber: '0x1' })),
    ],
    [
      'logs of another contract',
      'eth_getLogs',
      (logs) => (logs as object[]).map((log) => ({ ...log, address: `0x${'ab'.repeat(20)}` })),
    ],
    [
      'logs of another event',
      'eth_getLogs',
      (logs) => (logs as object[]).map((log) => ({ ...log, topics: [`0x${'ab'.repeat(32)}`] })),
    ],
    ['invalid logs', 'eth_getLogs', () => ({})],
    ['another block', 'eth_getBlockByNumber', (block) => ({ ...(block as object), number: '0x1' })],
    ['an invalid head', 'eth_blockNumber', () => 'soon'],
  ])('that returns %s causes an error, and nothing is published', async (_, method, wrongResult) => {
    const { chain, node, mine, reader, faults } = await begun()
    chain.send([traded])
    mine(4)
    faults.falsifiers = new Map([[method, wrongResult]])
    await expect(reader.turn(node)).rejects.toThrow('impossible answer')
    faults.falsifiers = new Map()
    await reader.catchUp(node)
    expect(reader.published.size).toBe(1)
  })

  test('that accepts one call at a time gets one call at a time', async () => {
    const { chain, rpc, mine } = world('single')
    const single = createChainNode(
      { ...rpc, batch: () => Promise.reject(new RpcRefusal('rain', 'batch', { code: -32_600, text: 'no' })) },
      'rain',
    )
    mine(5)
    const reader = new Reader()
    await reader.turn(single)
    for (let n = 0; n < 3; n++) {
      chain.send([traded])
      mine(1)
    }
    mine(confirmations)
    await reader.catchUp(single)
    expect(reader.published.size).toBe(3)
  })

  test('is read again when its logs and blocks are of different branches', async () => {
    const { chain, node, mine, reader, faults } = await begun()
    chain.send([traded])
    mine(4)
    faults.falsifiers = new Map([
      ['eth_getLogs', (logs) => (logs as object[]).map((log) => ({ ...log, blockHash: `0x${'66'.repeat(32)}` }))],
    ])
    expect(await reader.turn(node)).toBe('behind')
    expect(reader.published.size).toBe(0)
  })
})

test.each(Array.from({ length: long ? 200 : 12 }, (_, i) => `run ${i}`))(
  '%s: whatever reorganizes, fails and restarts, published trades minus withdrawn ones equal those on the chain',
  async (seed) => {
    const { chain, faults, rpc, mine, onChain } = world(seed, { reorganises: 0.15, depthMax: 6 })
    const random = createPrng(`${seed}/faults`)
    const reader = new Reader()
    const call: Rpc['call'] = (method, params) => {
      if (random.chance(0.05)) return Promise.reject(new Error('not now'))
      // The chain may also change between two calls.
      if (random.chance(0.05)) mine(1)
      return rpc.call(method, params)
    }
    const batch: Rpc['batch'] = async (calls) => {
      const results: unknown[] = []
      for (const each of calls) results.push(await call(...each))
      return results
    }
    const node = createChainNode({ call, batch }, 'rain')
    mine(3)
    while (reader.position === null) await reader.turn(node).catch(() => undefined)
    const first = reader.position.next
    for (let round = 0; round < 150; round++) {
      for (let n = random.int(4); n > 0; n--) chain.send(Array.from({ length: 1 + random.int(2) }, () => traded))
      mine(random.int(4))
      faults.behind = random.chance(0.1) ? random.int(6) : 0
      await reader.turn(node, { span: 1 + random.int(20) }).catch(() => undefined)
      if (random.chance(0.1)) reader.crash()
    }
    faults.behind = 0
    mine(10)
    const calm = createChainNode(rpc, 'rain')
    await reader.catchUp(calm)
    expect(reader.lost, seed).toBe(0)
    const held = chain
      .logs(first, chain.head.number - confirmations, () => true)
      .map(({ transaction }) => transaction.hash)
      .sort()
    expect(onChain().length).toBeGreaterThan(20)
    expect(chain.reorganisations).toBeGreaterThan(3)
    expect(reader.transactions, seed).toEqual(held)
  },
)
