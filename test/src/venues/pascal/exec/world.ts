import { createPrivateKey, createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import type { Built } from '#venues/lane'

/** Ed25519 from a 32-byte seed, wrapped as in RFC 8410. */
const keyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export function base58(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = letters[Number(value % 58n)] + text
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
}

/** The two keys of the venue’s own vectors: a wallet and a trading key. */
export function keysOf(byte: number): { key: KeyObject; address: string } {
  const key = keyOf(Buffer.alloc(32, byte))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { key, address: base58(Buffer.from(x!, 'base64url')) }
}
export const owner = keysOf(7)
export const trader = keysOf(8)
export const stranger = keysOf(9)

export const symbol = 'ME_SEN_2026.REP'
export const market = (tickSize: number | null = 0.01) =>
  binaryMarket('pascal', symbol, [symbol, `${symbol}-NO`], { tickSize, sourceMetadata: {} })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('pascal', ['REST', 'TRADE'])
  world.outcomes.push(...market())
  return world
}

export const buy = {
  outcome: symbol,
  outcomeSide: 'YES',
  isBuy: true,
  price: '0.45',
  size: 10,
  owner: owner.address,
  signer: trader.address,
}

/** Over the permit bytes in the artifact. */
export const sign = ({ unsigned }: Pick<Built, 'unsigned'>, by = trader): string =>
  base58(signBytes(null, Buffer.from(String(unsigned.permit), 'base64'), by.key))
