import { privateKeyToAccount } from 'viem/accounts'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import type { Built } from '#venues/lane'

/** Throwaway keys, used only here. */
export const owner = privateKeyToAccount('0x0123456789012345678901234567890123456789012345678901234567890123')
export const stranger = privateKeyToAccount('0x822e9959e022b78423eb653a62ea0020cd283e71a2a8133a6ff2aeffaf373cff')

export const market516 = binaryMarket('hyperliquid', '516', ['#5160', '#5161'], {
  sourceMetadata: { outcome: 516, quoteToken: 'USDC', deployerFeeScale: '1' },
})

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('hyperliquid', ['REST'])
  world.outcomes.push(...market516)
  world.answer(rich)
  return world
}

/** A venue where every account has a million, no signer is an agent, and every order stays open. */
export const rich = ({ text }: { text: string }) => {
  const { type, oid } = JSON.parse(text)
  if (type === 'spotClearinghouseState') {
    return { body: { balances: [{ coin: 'USDC', token: 0, total: '1000000.0', hold: '0.0', entryNtl: '0.0' }] } }
  }
  if (type === 'orderStatus') {
    const order = { coin: '#5160', oid, sz: '50.0', origSz: '50.0', timestamp: 1_790_000_000_000 }
    return { body: { status: 'order', order: { order, status: 'open', statusTimestamp: 1_790_000_000_000 } } }
  }
  if (type === 'userRole') return { body: { role: 'user' } }
  return { status: 404, body: null }
}

export const buy = { outcome: '516', outcomeSide: 'YES', isBuy: true, price: '0.35', size: '50', owner: owner.address }

type TypedData = Parameters<typeof owner.signTypedData>[0]
/** Signs like a wallet does: the artifact is passed on unchanged. */
export const sign = (built: Pick<Built, 'unsigned'>, account = owner) =>
  account.signTypedData(built.unsigned as unknown as TypedData)
