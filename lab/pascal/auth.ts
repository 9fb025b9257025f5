// Pascal's authentication: the trading keys that owners have registered, and the check of every command. The permit is rebuilt from the
// request, byte by byte, and its signature checked with node's own crypto.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'

/** Of the venue's own deployment. */
const deployment = 3
const windowMaxMs = 60_000
const u64Max = 2n ** 64n - 1n

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const U64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((value) => value <= u64Max)

const Auth = z.object({
  client_ts_ms: U64,
  recv_window_ms: U64,
  owner: z.string(),
  signer: z.string(),
  signature: z.string(),
})
type Auth = z.infer<typeof Auth>

const Price = z
  .string()
  .regex(/^[01](\.\d{1,6})?$/)
  .transform((text) => BigInt(Math.round(Number(text) * 1_000_000)))
  .refine((micros) => micros <= 1_000_000n)

export const OrderCommand = z.object({
  client_order_id: U64.refine((id) => id < u64Max),
  symbol: z.string().max(32),
  side: z.enum(['BID', 'ASK']),
  price: Price,
  size: U64.refine((size) => size > 0n),
  metadata: U64.refine((byte) => byte < 256n),
  replace_client_order_id: U64.optional(),
  tif: z.enum(['GTC', 'GTT', 'IOC']).default('GTC'),
  post_only: z.boolean().default(false),
  reduce_only: z.boolean().default(false),
  allow_missing_replace: z.boolean().default(false),
  type: z.enum(['LIMIT', 'MARKET']).default('LIMIT'),
  expires_ts_ms: U64.optional(),
  auth: Auth,
})
export type OrderCommand = z.infer<typeof OrderCommand>

export const CancelCommand = z
  .object({
    client_order_id: U64.optional(),
    order_id: U64.optional(),
    metadata: U64.refine((byte) => byte < 256n),
    auth: Auth,
  })
  .refine((command) => (command.client_order_id === undefined) !== (command.order_id === undefined))
export type CancelCommand = z.infer<typeof CancelCommand>

export const TradingKey = z.object({
  trading_key: z.string(),
  name: z.string().min(1).max(16),
  expiration_ts_ms: U64,
  auth: Auth,
})
export type TradingKey = z.infer<typeof TradingKey>

export class PascalAuth {
  private readonly keys = new Map<string, Set<string>>()
  private readonly nowMs: () => number

  constructor(nowMs: () => number) {
    this.nowMs = nowMs
  }

  /** As the owner's wallet does once. Base58. */
  register(owner: string, tradingKey: string): void {
    this.keys.set(owner, (this.keys.get(owner) ?? new Set()).add(tradingKey))
  }

  /** The refusal code; null: the key is registered. The wallet signs text, and for itself. */
  admitKey({ trading_key, name, expiration_ts_ms, auth }: TradingKey): string | null {
    const { owner, signer, recv_window_ms, client_ts_ms } = auth
    if (owner !== signer) return 'unauthorized_signer'
    const times = [recv_window_ms, client_ts_ms].map(Number)
    const words = ['create_trading_key', name, trading_key, Number(expiration_ts_ms), 1, deployment, ...times]
    const code = this.refuseAuth(auth, Buffer.from(JSON.stringify([...words, owner, signer])))
    if (code === null) this.register(owner, trading_key)
    return code
  }

  /** The refusal code; null accepts the command. */
  refuse(command: OrderCommand | CancelCommand): string | null {
    const { owner, signer } = command.auth
    if (this.keys.get(owner)?.has(signer) !== true) return 'unauthorized_signer'
    return this.refuseAuth(command.auth, 'symbol' in command ? orderBytes(command) : cancelBytes(command))
  }

  private refuseAuth({ signer, signature, recv_window_ms, client_ts_ms }: Auth, message: Buffer): string | null {
    if (recv_window_ms > BigInt(windowMaxMs)) return 'INVALID_RECV_WINDOW'
    if (Math.abs(this.nowMs() - Number(client_ts_ms)) > Number(recv_window_ms)) return 'OUTSIDE_RECV_WINDOW'
    const key = publicKey(bytesOf(signer, 32))
    return verify(null, message, key, bytesOf(signature, 64)) ? null : 'INVALID_SIGNATURE'
  }
}

const publicKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })

/** From base58; another length is truncated or padded, and then verifies nothing. */
function bytesOf(text: string, length: number): Buffer {
  let value = 0n
  for (const letter of text.slice(0, 2 * length)) value = value * 58n + BigInt(Math.max(0, letters.indexOf(letter)))
  return little(value, length).reverse()
}

function little(value: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0, left = value; at < length; at++, left >>= 8n) bytes[at] = Number(left & 255n)
  return bytes
}

const head = (command: number, auth: Auth): Buffer[] => [
  Buffer.from([1, command, deployment, 0]),
  little(auth.recv_window_ms, 4),
  little(auth.client_ts_ms, 8),
  bytesOf(auth.owner, 32),
  bytesOf(auth.signer, 32),
]

function orderBytes(order: OrderCommand): Buffer {
  const flags = Number(order.post_only) + 2 * Number(order.reduce_only) + 4 * Number(order.allow_missing_replace)
  return Buffer.concat([
    ...head(1, order.auth),
    little(order.size, 8),
    little(order.price, 8),
    little(order.client_order_id, 8),
    little(order.replace_client_order_id ?? u64Max, 8),
    little(order.expires_ts_ms ?? 0n, 8),
    Buffer.alloc(32),
    Buffer.concat([Buffer.from(order.symbol, 'latin1'), Buffer.alloc(32)], 32),
    Buffer.alloc(4),
    Buffer.from('dcaf53738f1d5f06164660498a75888e7f0c78ed5f1bc17be1dd1cb3ccf53ce3', 'hex'),
    Buffer.from([
      Number(order.metadata),
      ['BID', 'ASK'].indexOf(order.side),
      ['LIMIT', 'MARKET'].indexOf(order.type),
      ['GTC', 'GTT', 'IOC'].indexOf(order.tif),
      flags,
    ]),
    Buffer.alloc(7),
  ])
}

function cancelBytes({ auth, client_order_id, order_id, metadata }: CancelCommand): Buffer {
  return Buffer.concat([
    ...head(2, auth),
    Buffer.from([order_id === undefined ? 0 : 1, Number(metadata), 0, 0, 0, 0, 0, 0]),
    little(order_id ?? client_order_id ?? 0n, 8),
  ])
}
