// The lab's chain: the same seed and calls give the same blocks; branches replace each other.
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { LabChain } from '#lab/chain/chain'
import { createAnswers, healthyNode } from '#lab/chain/rpcHandlers'

const log = { address: `0x${'aa'.repeat(20)}`, topics: [`0x${'bb'.repeat(32)}`], data: '0x' }

function grown(seed: string) {
  const clock = new ManualClock(0)
  const chain = new LabChain({ seed, clock, reorganises: 0.2 })
  for (let n = 0; n < 60; n++) {
    chain.send([log])
    clock.advance(1_000)
    chain.mine()
  }
  return chain
}
const blocksOf = (chain: LabChain) => Array.from({ length: chain.head.number }, (_, i) => chain.block(i + 1)!)

test('the same seed gives the same chain, another seed another', () => {
  expect(blocksOf(grown('a'))).toEqual(blocksOf(grown('a')))
  expect(blocksOf(grown('a'))).not.toEqual(blocksOf(grown('b')))
})

test('blocks form a chain, some branches were replaced, and no transaction is in two blocks or both in one and dropped', () => {
  const chain = grown('a')
  const blocks = blocksOf(chain)
  for (const [i, { number, parentHash }] of blocks.entries()) {
    expect(number).toBe(i + 1)
    if (i > 0) expect(parentHash).toBe(blocks[i - 1]!.hash)
  }
  expect(chain.reorganisations).toBeGreaterThan(3)
  const inBlocks = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const all = [...inBlocks, ...chain.dropped.map(({ hash }) => hash)]
  expect(new Set(all).size).toBe(all.length)
  expect(all).toHaveLength(60)
  expect(chain.dropped.length).toBeGreaterThan(0)
})

test('a node answers like real nodes: hex, null for unknown objects, an error for unknown methods', () => {
  const chain = grown('a')
  const answer = createAnswers(chain, healthyNode(42_161), new Map())
  const ask = (method: string, ...params: unknown[]) => answer({ id: 7, method, params })
  expect(ask('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 7, result: '0xa4b1' })
  expect(ask('eth_getBlockByNumber', '0xffffff', false)).toMatchObject({ result: null })
  expect(ask('eth_getBlockByNumber', '0x1', false)).toMatchObject({
    result: { number: '0x1', hash: chain.block(1)!.hash },
  })
  expect(ask('eth_mine')).toMatchObject({ error: { code: -32_601 } })
  const range = { fromBlock: '0x1', toBlock: 'latest' }
  const { result: logs } = ask('eth_getLogs', { ...range, address: log.address, topics: [[log.topics[0]]] }) as {
    result: unknown[]
  }
  expect(logs).toHaveLength(60 - chain.dropped.length)
  expect(ask('eth_getLogs', { ...range, topics: [[`0x${'cc'.repeat(32)}`]] })).toMatchObject({ result: [] })
  chain.calls.set(`${log.address}:0x12345678`, () => '0x01')
  expect(ask('eth_call', { to: log.address, data: '0x12345678ff' }, 'latest')).toMatchObject({ result: '0x01' })
  expect(ask('eth_call', { to: log.address, data: '0x87654321' }, 'latest')).toMatchObject({ result: '0x' })
})
