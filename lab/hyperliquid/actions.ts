// The signed actions the lab accepts, and recovery of their signer, from first principles: the fields in the order in which the
// venue's own structs pack them (msgpack), followed by nonce, vault and expiry, keccak, and the "phantom agent" under EIP-712.
import { Encoder } from '@msgpack/msgpack'
import {
  concatBytes,
  type Hex,
  hexToBytes,
  keccak256,
  numberToBytes,
  pad,
  recoverTypedDataAddress,
  serializeSignature,
} from 'viem'
import { z } from 'zod'

const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Hex)
const Cloid = z.string().regex(/^0x[0-9a-fA-F]{32}$/)
const Oid = z.int().nonnegative()
const Tif = z.enum(['Gtc', 'Ioc', 'Alo', 'FrontendMarket'])
const Decimal = z.string().regex(/^\d+(\.\d+)?$/)

/** Zod returns members in the order written here, which is the order of the hash. */
const Order = z.strictObject({
  a: z.int().nonnegative(),
  b: z.boolean(),
  p: Decimal,
  s: Decimal,
  r: z.boolean(),
  t: z.union([
    z.strictObject({ limit: z.strictObject({ tif: Tif }) }),
    z.strictObject({
      trigger: z.strictObject({ isMarket: z.boolean(), triggerPx: Decimal, tpsl: z.enum(['tp', 'sl']) }),
    }),
  ]),
  c: Cloid.optional(),
})
export type OrderWire = z.infer<typeof Order>
const Modification = { oid: z.union([Oid, Cloid]), order: Order }

export const Action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('order'),
    orders: z.array(Order).min(1),
    grouping: z.enum(['na', 'normalTpsl', 'positionTpsl']),
    builder: z.strictObject({ b: z.string(), f: z.int().nonnegative() }).optional(),
  }),
  z.strictObject({ type: z.literal('cancel'), cancels: z.array(z.strictObject({ a: z.int(), o: Oid })).min(1) }),
  z.strictObject({
    type: z.literal('cancelByCloid'),
    cancels: z.array(z.strictObject({ asset: z.int(), cloid: Cloid })).min(1),
  }),
  z.strictObject({ type: z.literal('modify'), ...Modification }),
  z.strictObject({ type: z.literal('batchModify'), modifies: z.array(z.strictObject(Modification)).min(1) }),
])
export type Action = z.infer<typeof Action>

const Word = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)

export const Signed = z.object({
  action: Action,
  nonce: z.int().nonnegative(),
  signature: z.strictObject({ r: Word, s: Word, v: z.union([z.literal(27), z.literal(28)]) }),
  vaultAddress: Address.nullish(),
  expiresAfter: z.int().nonnegative().nullish(),
})
export type Signed = z.infer<typeof Signed>

const encoder = new Encoder({ ignoreUndefined: true })

export function connectionIdOf({ action, nonce, vaultAddress, expiresAfter }: Omit<Signed, 'signature'>): Hex {
  const uint64 = (value: number) => numberToBytes(value, { size: 8 })
  return keccak256(
    concatBytes([
      encoder.encode(action),
      uint64(nonce),
      vaultAddress == null ? Uint8Array.of(0) : concatBytes([Uint8Array.of(1), hexToBytes(vaultAddress)]),
      ...(expiresAfter == null ? [] : [Uint8Array.of(0), uint64(expiresAfter)]),
    ]),
  )
}

/** Lower case. Any valid signature recovers some address: a wrong hash yields a stranger's. Null for an invalid one. */
export async function signerOf(signed: Signed): Promise<Hex | null> {
  const { r, s, v } = signed.signature
  try {
    const signer = await recoverTypedDataAddress({
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
      // The lab is a mainnet.
      message: { source: 'a', connectionId: connectionIdOf(signed) },
      signature: serializeSignature({ r: pad(r as Hex), s: pad(s as Hex), yParity: v - 27 }),
    })
    return signer.toLowerCase() as Hex
  } catch {
    // Not a point on the curve: no valid signature.
    return null
  }
}
