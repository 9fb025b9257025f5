// Hyperliquid's signed actions, and their signing hash. The hash depends on the order of the fields, which stored JSON loses: only
// `ordered` knows it.
//
//   action ─► msgpack ─► + nonce, vault, expiry ─► keccak = connectionId ─► EIP-712 "phantom agent" ─► the caller's signature
import { Encoder } from '@msgpack/msgpack'
import { bytesToHex, concatBytes, hexToBytes, keccak256, numberToBytes } from 'viem'

export type Hex = `0x${string}`
export type TimeInForce = 'Gtc' | 'Ioc' | 'Alo' | 'FrontendMarket'

export interface OrderWire {
  /** Asset id. */
  a: number
  /** True buys. */
  b: boolean
  /** Price and size, decimal strings without trailing zeros. */
  p: string
  s: string
  /** Reduce only: not applicable to outcomes, always false. */
  r: boolean
  t: { limit: { tif: TimeInForce } }
  /** Client order id, 0x and 32 hex digits. */
  c?: string | undefined
}

export type Action =
  | { type: 'order'; orders: readonly OrderWire[]; grouping: 'na' }
  | { type: 'cancel'; cancels: readonly { a: number; o: number }[] }
  | { type: 'cancelByCloid'; cancels: readonly { asset: number; cloid: string }[] }
  | { type: 'batchModify'; modifies: readonly { oid: number | string; order: OrderWire }[] }

const orderedOrder = ({ a, b, p, s, r, t, c }: OrderWire): OrderWire => ({
  a,
  b,
  p,
  s,
  r,
  t: { limit: { tif: t.limit.tif } },
  ...(c === undefined ? {} : { c }),
})

/** The same action with its fields in the order of the venue's hash. */
export function ordered(action: Action): Action {
  switch (action.type) {
    case 'order':
      return { type: 'order', orders: action.orders.map(orderedOrder), grouping: action.grouping }
    case 'cancel':
      return { type: 'cancel', cancels: action.cancels.map(({ a, o }) => ({ a, o })) }
    case 'cancelByCloid':
      return { type: 'cancelByCloid', cancels: action.cancels.map(({ asset, cloid }) => ({ asset, cloid })) }
    case 'batchModify':
      return {
        type: 'batchModify',
        modifies: action.modifies.map(({ oid, order }) => ({ oid, order: orderedOrder(order) })),
      }
  }
}

export interface HashInput {
  /** Plain data, fields in the venue's order. */
  action: unknown
  /** Epoch ms. */
  nonce: number
  vaultAddress?: Hex | undefined
  expiresAfter?: number | undefined
}

const encoder = new Encoder({ ignoreUndefined: true })

export function actionHash({ action, nonce, vaultAddress, expiresAfter }: HashInput): Hex {
  const parts = [
    encoder.encode(action),
    numberToBytes(nonce, { size: 8 }),
    vaultAddress === undefined ? Uint8Array.of(0) : concatBytes([Uint8Array.of(1), hexToBytes(vaultAddress)]),
    ...(expiresAfter === undefined ? [] : [Uint8Array.of(0), numberToBytes(expiresAfter, { size: 8 })]),
  ]
  return keccak256(concatBytes(parts))
}

export const packed = (action: unknown): Hex => bytesToHex(encoder.encode(action))

/** `a` mainnet, `b` testnet. */
export type Network = 'a' | 'b'

export const agentTypedData = (connectionId: Hex, source: Network) =>
  ({
    domain: {
      name: 'Exchange',
      version: '1',
      chainId: 1337,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source, connectionId },
  }) as const
