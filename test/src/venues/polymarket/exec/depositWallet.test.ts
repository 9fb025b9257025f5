// Addresses derived by the venue’s Python client 0.14.0 (`polymarket/_internal/wallet.py`) for two public test accounts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { depositWalletsOf } from '#venues/polymarket/exec/depositWallet'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { account, buy, createWorld, credentials, market, owner, publicReads } from './world.ts'

it('an owner has one address for current wallets and one for earlier ones', () => {
  expect(depositWalletsOf('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toEqual([
    '0xBc0fF067b7740Eff76C1ca93c875Ba6B890d6B50',
    '0xdf8b9E8f9AB23f261F6e1B171B7454ae6E46Ba76',
  ])
  expect(depositWalletsOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toEqual([
    '0x4Fe2CC4925607a473264FA89e7138075695A5F8e',
    '0x5F4f45aBd6e86C60B3Df2a4aF103f85256A2Ce6d',
  ])
})

describe('with a configured node the wallet contract is called', () => {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  beforeEach(() => {
    world.seen.length = 0
    world.outcomes.splice(0, world.outcomes.length, ...market())
  })
  afterAll(() => world.close())

  const [wallet] = depositWalletsOf(owner)
  /** `answer`: the node’s answer to eth_call. */
  async function send(answer: object | null) {
    const calls: { to: string; data: string }[] = []
    world.answer((seen) => {
      const rpcRequest = seen.method === 'POST' && seen.text.includes('jsonrpc') ? JSON.parse(seen.text) : null
      if (rpcRequest === null)
        return seen.method === 'POST' ? { body: { success: true, orderID: 'seen', status: 'live' } } : publicReads(seen)
      const reply = (one: { id: number; method: string; params: [{ to: string; data: string }] }) => {
        if (one.method === 'eth_chainId') return { jsonrpc: '2.0', id: one.id, result: '0x89' }
        calls.push(one.params[0])
        return { jsonrpc: '2.0', id: one.id, ...answer }
      }
      if (answer === null) return { status: 503, body: 'busy' }
      return { body: Array.isArray(rpcRequest) ? rpcRequest.map(reply) : reply(rpcRequest) }
    })
    const context = { ...world.context, urls: { ...world.context.urls, RPC: world.context.urls.CLOB! } }
    const built = await buildOrder(lane, context, { ...buy, signatureType: 3, funder: wallet })
    const signature = await account.signTypedData(built.unsigned as never)
    const sent = submit(lane, context, executionOf(built), { ...credentials, signature })
    return { sent, calls, clientRef: built.clientRef }
  }
  const word = (hex: string) => ({ result: `0x${hex.padEnd(64, '0')}` })

  it('an order that it accepts is sent with the checked signature', async () => {
    const { sent, calls, clientRef } = await send(word('1626ba7e'))
    expect((await sent).outcome).toMatchObject({ kind: 'accepted' })
    expect(calls.map(({ to }) => to.toLowerCase())).toEqual([wallet.toLowerCase()])
    expect(calls[0]!.data).toContain(clientRef!.slice(2))
    const posted = JSON.parse(world.seen.at(-1)!.text).order
    expect(posted.signature).toHaveLength(636)
    expect(calls[0]!.data).toContain(posted.signature.slice(2))
  })

  it.each([
    ['refuses', word('ffffffff')],
    ['reverts', { error: { code: 3, message: 'execution reverted', data: '0x' } }],
  ])('an order that it %s is not sent', async (_name, answer) => {
    const { sent } = await send(answer)
    await expect(sent).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(world.seen.filter(({ path }) => path === '/order')).toEqual([])
  })
})
