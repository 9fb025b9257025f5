// Redemptions, splits and merges at the lab's chain: a transaction is checked when it is sent, and is in the next block.
import { encodeFunctionData, type Hex, keccak256, parseAbi, parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
const clock = new ManualClock()
beforeAll(async () => {
  lab = await startLab({ clock, seed: 'redemptions', venues: ['limitless'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const abi = parseAbi([
  'function redeemPositions(address, bytes32, bytes32, uint256[])',
  'function splitPosition(address, bytes32, bytes32, uint256[], uint256)',
  'function mergePositions(address, bytes32, bytes32, uint256[], uint256)',
  'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
])
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const tokens = '0xC9c98965297Bc527861c898329Ee280632B76e18'
const noParent: Hex = `0x${'0'.repeat(64)}`
const blockMs = 2_000

interface Receipt {
  status: string
  blockNumber: Hex
  logs: { topics: [Hex, ...Hex[]]; data: Hex; address: Hex }[]
}
async function call<T>(method: string, ...params: unknown[]): Promise<{ result?: T; error?: { message: string } }> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(lab.limitless.urls.RPC, { method: 'POST', headers, body })).json() as Promise<{ result?: T }>
}

const openMarket = () =>
  lab.limitless.listing.markets.find(({ pool, key }) => pool === null && lab.limitless.engine.statusOf(key) === 'open')!
type Wallet = ReturnType<typeof privateKeyToAccount>
const signedCall = (wallet: Wallet, nonce: number, data: Hex) =>
  wallet.signTransaction({
    ...{ type: 'eip1559', chainId: 8453, nonce, gas: 500_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
    ...{ to: tokens, data },
  })
const signed = (wallet: Wallet, nonce: number, conditionId: string) =>
  signedCall(
    wallet,
    nonce,
    encodeFunctionData({ abi, functionName: 'redeemPositions', args: [usdc, noParent, conditionId as Hex, [1n, 2n]] }),
  )

test('a resolved market is redeemed in the next block, with the log of its contract', async () => {
  const wallet = privateKeyToAccount(`0x${'21'.repeat(32)}`)
  const { slug, conditionId } = openMarket()
  lab.limitless.faults.resolve({ market: slug, result: 'yes' })
  const raw = await signed(wallet, 0, conditionId)
  const hash = keccak256(raw)
  expect((await call('eth_sendRawTransaction', raw)).result).toBe(hash)
  expect((await call('eth_getTransactionReceipt', hash)).result).toBeNull()
  expect((await call<{ from: string }>('eth_getTransactionByHash', hash)).result?.from).toBe(
    wallet.address.toLowerCase(),
  )
  clock.advance(blockMs)
  const { result: receipt } = await call<Receipt>('eth_getTransactionReceipt', hash)
  expect(receipt?.status).toBe('0x1')
  expect((await call<Hex>('eth_blockNumber')).result).toBe(receipt?.blockNumber)
  const [event] = parseEventLogs({ abi, logs: receipt!.logs as never })
  expect(event?.args).toMatchObject({ redeemer: wallet.address, conditionId })
  expect((await call('eth_getTransactionCount', wallet.address, 'latest')).result).toBe('0x1')
  expect((await call('eth_sendRawTransaction', raw)).error?.message).toBe('already known')
})

test('a market that still trades is not: the transaction is reverted', async () => {
  const wallet = privateKeyToAccount(`0x${'22'.repeat(32)}`)
  const raw = await signed(wallet, 0, openMarket().conditionId)
  await call('eth_sendRawTransaction', raw)
  clock.advance(blockMs)
  const { result } = await call<Receipt>('eth_getTransactionReceipt', keccak256(raw))
  expect(result).toMatchObject({ status: '0x0', logs: [] })
})

test('sets are split and merged, and the rest is redeemed for what it pays', async () => {
  const wallet = privateKeyToAccount(`0x${'24'.repeat(32)}`)
  const { slug, conditionId } = openMarket()
  let nonce = 0
  const run = async (functionName: 'splitPosition' | 'mergePositions', amount: bigint) => {
    const args = [usdc, noParent, conditionId as Hex, [1n, 2n], amount] as const
    const raw = await signedCall(wallet, nonce++, encodeFunctionData({ abi, functionName, args }))
    await call('eth_sendRawTransaction', raw)
    clock.advance(blockMs)
    return (await call<Receipt>('eth_getTransactionReceipt', keccak256(raw))).result!
  }
  const held = async () => {
    const answer = await fetch(`${lab.limitless.urls.REST}/portfolio/${wallet.address}/positions`)
    const { clob } = (await answer.json()) as { clob: { market: { slug?: string }; tokensBalance?: object }[] }
    return clob.find(({ market }) => market.slug === slug)?.tokensBalance ?? null
  }
  const split = await run('splitPosition', 5_000_000n)
  const [event] = parseEventLogs({ abi, logs: split.logs as never })
  expect(event).toMatchObject({
    eventName: 'PositionSplit',
    args: { stakeholder: wallet.address, conditionId, amount: 5_000_000n },
  })
  expect(await held()).toEqual({ yes: '5000000', no: '5000000' })
  const [merged] = parseEventLogs({ abi, logs: (await run('mergePositions', 2_000_000n)).logs as never })
  expect(merged).toMatchObject({ eventName: 'PositionsMerge', args: { amount: 2_000_000n } })
  expect(await held()).toEqual({ yes: '3000000', no: '3000000' })
  expect(await run('mergePositions', 3_000_001n)).toMatchObject({ status: '0x0', logs: [] })
  lab.limitless.faults.resolve({ market: slug, result: 'no' })
  const raw = await signed(wallet, nonce++, conditionId)
  await call('eth_sendRawTransaction', raw)
  clock.advance(blockMs)
  const { result: receipt } = await call<Receipt>('eth_getTransactionReceipt', keccak256(raw))
  const [payout] = parseEventLogs({ abi, logs: receipt!.logs as never })
  expect(payout).toMatchObject({ eventName: 'PayoutRedemption', args: { payout: 3_000_000n } })
  expect(await held()).toBeNull()
})

test('a nonce that is not the next one is refused', async () => {
  const wallet = privateKeyToAccount(`0x${'23'.repeat(32)}`)
  const { error } = await call('eth_sendRawTransaction', await signed(wallet, 1, openMarket().conditionId))
  expect(error?.message).toMatch(/^nonce too high/)
})
