// Transactions of wallets on the lab's chain: in nonce order, executed once, and mined whatever branch wins.
import { keccak256, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { LabChain } from '#lab/chain/chain'
import { createAnswers, healthyNode } from '#lab/chain/rpcHandlers'
import { nextNonce, readSigned, settle } from '#lab/chain/wallets'

const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const to = `0x${'aa'.repeat(20)}` as const
const chainId = 42_161
const log = { address: to, topics: [`0x${'bb'.repeat(32)}`], data: '0x' }

function world() {
  const chain = new LabChain({ seed: 'wallets', clock: new ManualClock(), reorganises: 0.5 })
  const done: string[] = []
  chain.machine = {
    call: ({ input }) => (input === '0xdead' ? { reverted: '0x12345678' } : { returned: '0x01' }),
    execute({ input }) {
      done.push(input)
      return input === '0xdead' ? { reverted: '0x12345678' } : { logs: [log] }
    },
  }
  const sign = (nonce: number, data: `0x${string}` = '0x01', more: Partial<TransactionSerializableEIP1559> = {}) =>
    wallet.signTransaction({ type: 'eip1559', chainId, to, data, nonce, ...more })
  const send = async (raw: unknown) => settle(chain, await readSigned(chain, raw, chainId))
  const answer = createAnswers(chain, healthyNode(chainId), new Map())
  const ask = (method: string, ...params: unknown[]) =>
    (answer({ id: 1, method, params }) as { result?: unknown }).result
  return { chain, done, sign, send, ask, answer }
}

test('executes a transaction once, and finds it by its hash', async () => {
  const { done, sign, send, ask, chain } = world()
  const raw = await sign(0)
  const hash = keccak256(raw)
  expect([ask('eth_getTransactionReceipt', hash), ask('eth_getTransactionByHash', hash)]).toEqual([null, null])
  await send(raw)
  expect(done).toEqual(['0x01'])
  expect(ask('eth_getTransactionReceipt', hash)).toMatchObject({
    transactionHash: hash,
    status: '0x1',
    from: wallet.address.toLowerCase(),
    logs: [{ ...log, transactionHash: hash, logIndex: '0x0' }],
  })
  expect(ask('eth_getTransactionByHash', hash)).toMatchObject({ hash, to, input: '0x01', nonce: '0x0', value: '0x0' })
  expect(ask('eth_getTransactionCount', wallet.address, 'latest')).toBe('0x1')
  expect(ask('eth_getTransactionCount', wallet.address, '0x1')).toBe('0x0')
  await expect(send(raw)).rejects.toThrow('already known')
  for (const [nonce, why] of [
    [0, 'nonce too low'],
    [2, 'nonce too high'],
  ] as const) {
    await expect(send(await sign(nonce, '0x02'))).rejects.toThrow(why)
  }
  expect([done, nextNonce(chain, wallet.address)]).toEqual([['0x01'], 1])
})

test('rejects a wrong chain id, a value and a malformed transaction with the errors of nodes', async () => {
  const { done, sign, send } = world()
  await expect(send(await sign(0, '0x01', { chainId: 1 }))).rejects.toThrow('invalid chain id')
  await expect(send(await sign(0, '0x01', { value: 1n }))).rejects.toThrow('insufficient funds')
  for (const raw of ['0x', '0x02ff', 7, (await sign(0)).slice(0, 60)]) await expect(send(raw)).rejects.toThrow('rlp')
  expect(done).toEqual([])
})

test('a revert uses the nonce and changes nothing; eth_call returns its reason', async () => {
  const { sign, send, ask, answer } = world()
  const raw = await sign(0, '0xdead')
  await send(raw)
  expect(ask('eth_getTransactionReceipt', keccak256(raw))).toMatchObject({ status: '0x0', logs: [] })
  expect(ask('eth_getTransactionCount', wallet.address, 'latest')).toBe('0x1')
  expect(answer({ id: 1, method: 'eth_call', params: [{ to, data: '0xdead' }, 'latest'] })).toMatchObject({
    error: { code: 3, message: 'execution reverted', data: '0x12345678' },
  })
  expect(ask('eth_call', { to, data: '0x01' }, 'latest')).toBe('0x01')
  expect(answer({ id: 1, method: 'eth_call', params: [{ to, data: '0x01' }, '0xffffff'] })).toMatchObject({
    error: { message: 'header not found' },
  })
})

test('transactions of wallets are mined once and in order, whatever branch wins', async () => {
  const { chain, sign, send, ask } = world()
  const hashes: string[] = []
  for (let nonce = 0; nonce < 30; nonce++) {
    const raw = await sign(nonce)
    hashes.push(keccak256(raw))
    await send(raw)
    chain.mine()
  }
  expect(chain.reorganisations).toBeGreaterThan(5)
  expect(chain.dropped).toEqual([])
  for (const hash of hashes) expect(ask('eth_getTransactionReceipt', hash)).not.toBeNull()
  expect(nextNonce(chain, wallet.address)).toBe(30)
})
