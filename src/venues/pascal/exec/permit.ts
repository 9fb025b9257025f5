// What a trading key signs: a permit of little-endian bytes, never a Solana transaction. Every command begins with the same 80 bytes.
// Layouts and vectors: the venue's own quickstart (`Pascal-Research-Inc/pascal-python-quickstart`, July 2026). The lane places plain limit orders;
// other order fields are here because the vectors sign them.
//
//   every command   0 version 1 · 1 command · 2 deployment · 3 – · 4 window u32 · 8 time u64 · 16 owner · 48 signer
//   place (232)     80 size u64 · 88 price u64 · 96 client id u64 · 104 replaced client id u64 · 112 expiry u64 · 120 – · 152 symbol · 184 –
//                   188 digest · 220 metadata · 221 side · 222 type · 223 time in force · 224 flags · 225 –
//   cancel (96)     80 by what · 81 metadata · 82 – · 88 id u64
import { Fault } from '#core/fault'
import { base58Bytes } from './base58.ts'

export interface Header {
  deploymentId: number
  /** The venue accepts the permit within this time of `clientTsMs`, ms. */
  recvWindowMs: number
  /** Epoch ms. */
  clientTsMs: number
  /** Base58: the wallet, and the trading key that signs for it. */
  owner: string
  signer: string
}

export interface PlaceOrder {
  /** Whole contracts. */
  size: bigint
  priceMicros: bigint
  clientOrderId: bigint
  replaces?: bigint
  /** Epoch ms; for a good-till-date order. */
  expiresTsMs?: bigint
  symbol: string
  side: 'BID' | 'ASK'
  type?: keyof typeof types
  tif?: keyof typeof timesInForce
  postOnly?: boolean
  reduceOnly?: boolean
  allowMissingReplace?: boolean
}

export const permitVersion = 1
export const recvWindowMaxMs = 60_000
/** The client's own byte: the quickstart's, the only one known to be accepted. */
export const metadata = 2
const headerBytes = 80
const placeBytes = 232
const cancelBytes = 96

const commands = { place: 1, cancel: 2 } as const
const sides = { BID: 0, ASK: 1 } as const
const types = { LIMIT: 0, MARKET: 1 } as const
const timesInForce = { GTC: 0, GTT: 1, IOC: 2 } as const
const flags = { postOnly: 1, reduceOnly: 2, allowMissingReplace: 4 } as const
/** By the client's own id. */
const byClientOrderId = 0
const nothingReplaced = 2n ** 64n - 1n
/** Digest of the order data outside the permit; its construction is undocumented. */
const offchainDigest = Buffer.from('dcaf53738f1d5f06164660498a75888e7f0c78ed5f1bc17be1dd1cb3ccf53ce3', 'hex')

export function placePermit(header: Header, order: PlaceOrder): Buffer {
  const permit = begun(placeBytes, commands.place, header)
  permit.writeBigUInt64LE(order.size, 80)
  permit.writeBigUInt64LE(order.priceMicros, 88)
  permit.writeBigUInt64LE(order.clientOrderId, 96)
  permit.writeBigUInt64LE(order.replaces ?? nothingReplaced, 104)
  permit.writeBigUInt64LE(order.expiresTsMs ?? 0n, 112)
  permit.write(order.symbol, 152, 32, 'ascii')
  offchainDigest.copy(permit, 188)
  permit[220] = metadata
  permit[221] = sides[order.side]
  permit[222] = types[order.type ?? 'LIMIT']
  permit[223] = timesInForce[order.tif ?? 'GTC']
  permit[224] =
    (order.postOnly === true ? flags.postOnly : 0) |
    (order.reduceOnly === true ? flags.reduceOnly : 0) |
    (order.allowMissingReplace === true ? flags.allowMissingReplace : 0)
  return permit
}

export function cancelPermit(header: Header, clientOrderId: bigint): Buffer {
  const permit = begun(cancelBytes, commands.cancel, header)
  permit[80] = byClientOrderId
  permit[81] = metadata
  permit.writeBigUInt64LE(clientOrderId, 88)
  return permit
}

function begun(length: number, command: number, header: Header): Buffer {
  const permit = Buffer.alloc(length)
  permit[0] = permitVersion
  permit[1] = command
  permit[2] = header.deploymentId
  permit.writeUInt32LE(header.recvWindowMs, 4)
  permit.writeBigUInt64LE(BigInt(header.clientTsMs), 8)
  keyBytes(header.owner).copy(permit, 16)
  keyBytes(header.signer).copy(permit, headerBytes - 32)
  return permit
}

export function keyBytes(key: string): Buffer {
  const bytes = base58Bytes(key, 32)
  if (bytes !== null) return bytes
  throw new Fault('INTERNAL', 'a stored Pascal key is not valid')
}
