// The artifacts this lane stores. An order is what a wallet's signTypedData takes as it is, and beside it what only the venue reads: the
// expiry is posted, not signed.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import { chainId, exchanges, type Hex, redeemAdapters } from './contracts.ts'
import { domainOf, type OrderMessage, orderTypes } from './typedData.ts'

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .transform((text) => text as Hex)
const Uint = z.string().regex(/^(0|[1-9]\d{0,77})$/)

const Message = z.strictObject({
  salt: Uint.refine((text) => Number.isSafeInteger(Number(text)), 'is posted as a JSON number'),
  maker: hex(40),
  signer: hex(40),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  side: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  timestamp: z.string().regex(/^\d{1,15}$/),
  metadata: hex(64),
  builder: hex(64),
})

const sameAs = (value: unknown) => {
  const text = JSON.stringify(value, null, 0)
  return z.custom<JsonObject>((given) => sortedText(given) === sortedText(JSON.parse(text)))
}

const OrderArtifact = z.strictObject({
  domain: z.strictObject({
    name: z.literal('Polymarket CTF Exchange'),
    version: z.literal('2'),
    chainId: z.literal(chainId),
    verifyingContract: z.enum([exchanges.normal, exchanges.negRisk]),
  }),
  types: sameAs(orderTypes),
  primaryType: z.literal('Order'),
  message: Message,
  /** What submit posts beside the signed order. */
  post: z.strictObject({
    orderType: z.enum(['GTC', 'GTD']),
    /** Unix seconds; `0` for GTC. */
    expiration: z.string().regex(/^(0|[1-9]\d{0,9})$/),
  }),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The body of the cancellation. */
const CancelArtifact = z.strictObject({ orderID: hex(64) })
export type CancelArtifact = z.infer<typeof CancelArtifact>

/** A transaction its holder sends. */
const RedeemArtifact = z.strictObject({
  to: z.enum([redeemAdapters.normal, redeemAdapters.negRisk]),
  /** redeemPositions; its arguments are held by the bounds. */
  data: z.string().regex(/^0x01b7037c(?:[0-9a-f]{64})+$/),
  value: z.literal('0'),
  chainId: z.literal(chainId),
})
export type RedeemArtifact = z.infer<typeof RedeemArtifact>

export type Artifact =
  | { kind: 'order'; order: OrderArtifact }
  | { kind: 'cancel'; cancel: CancelArtifact }
  | { kind: 'redeem'; redeem: RedeemArtifact }

export function readArtifact(unsigned: JsonObject): Artifact {
  if ('primaryType' in unsigned) return { kind: 'order', order: parse(OrderArtifact, unsigned) }
  if ('orderID' in unsigned) return { kind: 'cancel', cancel: parse(CancelArtifact, unsigned) }
  return { kind: 'redeem', redeem: parse(RedeemArtifact, unsigned) }
}

export const orderArtifact = (
  exchange: OrderArtifact['domain']['verifyingContract'],
  message: OrderMessage,
  expiresAt: number,
): JsonObject => ({
  domain: domainOf(exchange),
  types: orderTypes,
  primaryType: 'Order',
  message: { ...message },
  post: { orderType: expiresAt === 0 ? 'GTC' : 'GTD', expiration: String(expiresAt) },
})

function parse<T>(schema: z.ZodType<T>, unsigned: JsonObject): T {
  const parsed = schema.safeParse(unsigned)
  if (parsed.success) return parsed.data
  throw violation('the artifact has no shape this lane builds', z.prettifyError(parsed.error))
}

export const violation = (message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: 'polymarket', detail })

/** Members in one order, whatever storage made of it; arrays keep theirs, because the order of a type's members is part of its hash. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
