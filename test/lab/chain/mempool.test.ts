// Pending transactions of the lab's chain, and a node that announces them, as an independent client of such nodes sees them.
import { createPublicClient, webSocket } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { LabChain } from '#lab/chain/chain'
import { Mempool, type PendingTransaction } from '#lab/chain/mempool'
import { startSocketNode } from '#lab/chain/socketNode'

const from = `0x${'a'.repeat(40)}` as const
const to = `0x${'b'.repeat(40)}` as const
const hashOf = (n: number): `0x${string}` => `0x${n.toString(16).padStart(64, '0')}`
const waiting = (n: number, over: Partial<PendingTransaction> = {}): PendingTransaction => ({
  ...{ hash: hashOf(n), call: { from, to, input: '0x01', nonce: n } },
  outcome: 'settles',
  logs: [{ address: to, topics: [hashOf(7)], data: '0x' }],
  ...over,
})

describe('a mempool', () => {
  const chain = new LabChain({ seed: 'mempool', clock: new ManualClock() })
  const mempool = new Mempool(chain)
  const announced: string[] = []
  mempool.listeners.add({
    waiting: ({ hash }) => announced.push(hash),
    mined: ({ number, transactions }) => announced.push(`block ${number}: ${transactions.map(({ hash }) => hash)}`),
  })

  it('gives each transaction its outcome: mined, reverted, replaced, or pending', () => {
    mempool.submit(waiting(0))
    mempool.submit(waiting(1, { outcome: 'reverts' }))
    mempool.submit(waiting(2, { outcome: 'waits' }))
    mempool.submit(waiting(3, { outcome: 'waits' }))
    mempool.submit(waiting(4, { call: waiting(3).call }))
    mempool.submit(waiting(5), { isPrivate: true })
    const { number, transactions } = mempool.mine()
    expect(transactions.map(({ hash }) => hash)).toEqual([0, 1, 4, 5].map(hashOf))
    expect(chain.find(hashOf(1))?.transaction).toMatchObject({ isReverted: true, logs: [] })
    expect([2, 3].map((n) => chain.find(hashOf(n)))).toEqual([null, null])
    expect(mempool.size).toBe(1)
    mempool.forget(hashOf(2))
    expect(mempool.size).toBe(0)
    expect(announced).toEqual([...[0, 1, 2, 3, 4].map(hashOf), `block ${number}: ${[0, 1, 4, 5].map(hashOf)}`])
  })

  it('announces the blocks of another branch', () => {
    announced.length = 0
    const { number } = chain.head
    mempool.reorganise(1, () => true)
    expect(announced.map((line) => line.split(':')[0])).toEqual([`block ${number}`, `block ${number + 1}`])
  })
})

describe('its node', () => {
  const chain = new LabChain({ seed: 'node', clock: new ManualClock() })
  chain.finalAfter = 2
  const mempool = new Mempool(chain)
  let nodeServer: Awaited<ReturnType<typeof startSocketNode>>
  beforeAll(async () => {
    nodeServer = await startSocketNode(mempool, { chainId: 137 })
  })
  afterAll(() => nodeServer.stop())

  it('gives viem consistent heads, logs, receipts, counts and the final block', async () => {
    const transport = webSocket(nodeServer.url, { reconnect: false })
    const client = createPublicClient({ transport })
    expect(await client.getChainId()).toBe(137)
    const heads: bigint[] = []
    const unwatch = client.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) })
    await vi.waitFor(() => expect(nodeServer.node.calls.get('eth_subscribe')).toBe(1))
    mempool.submit(waiting(0))
    mempool.submit(waiting(1, { outcome: 'reverts' }))
    const { number } = mempool.mine()
    await vi.waitFor(() => expect(heads).toContain(BigInt(number)))
    expect(await client.getTransactionReceipt({ hash: hashOf(0) })).toMatchObject({
      status: 'success',
      blockNumber: BigInt(number),
    })
    expect(await client.getTransactionReceipt({ hash: hashOf(1) })).toMatchObject({ status: 'reverted' })
    expect(await client.getTransactionCount({ address: from, blockNumber: BigInt(number - 1) })).toBe(0)
    expect(await client.getTransactionCount({ address: from, blockNumber: BigInt(number) })).toBe(2)
    mempool.mine()
    mempool.mine()
    expect((await client.getBlock({ blockTag: 'finalized' })).number).toBe(BigInt(number))
    unwatch()
    const rpc = await client.transport.getRpcClient()
    rpc.close()
  })
})
