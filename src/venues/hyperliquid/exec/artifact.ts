// The artifact: the action, its nonce, and the typed data a wallet signs, side by side. `unsigned` may be handed to a wallet's
// signTypedData as it is.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import { type Action, actionHash, agentTypedData, type Hex, type Network, ordered } from './action.ts'

export interface Artifact {
  action: Action
  /** Epoch ms; the venue takes it once per signer. */
  nonce: number
  connectionId: Hex
  source: Network
}

const Price = z.string().regex(/^0\.\d{1,8}$/)
const Cloid = z.string().regex(/^0x[0-9a-f]{32}$/)
const Oid = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const Asset = z.number().int().min(100_000_000).max(199_999_999)

const Order = z.strictObject({
  a: Asset,
  b: z.boolean(),
  p: Price,
  s: z.string().regex(/^[1-9]\d{0,14}$/),
  r: z.literal(false),
  t: z.strictObject({ limit: z.strictObject({ tif: z.enum(['Gtc', 'Ioc', 'Alo', 'FrontendMarket']) }) }),
  c: Cloid.optional(),
})

export const ActionShape: z.ZodType<Action> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('order'), orders: z.array(Order).length(1), grouping: z.literal('na') }),
  z.strictObject({ type: z.literal('cancel'), cancels: z.array(z.strictObject({ a: Asset, o: Oid })).length(1) }),
  z.strictObject({
    type: z.literal('cancelByCloid'),
    cancels: z.array(z.strictObject({ asset: Asset, cloid: Cloid })).length(1),
  }),
  z.strictObject({
    type: z.literal('batchModify'),
    modifies: z.array(z.strictObject({ oid: z.union([Oid, Cloid]), order: Order })).length(1),
  }),
])

const Nonce = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const Unsigned = z.strictObject({
  action: ActionShape,
  nonce: Nonce,
  domain: z.unknown(),
  types: z.unknown(),
  primaryType: z.literal('Agent'),
  message: z.strictObject({ source: z.enum(['a', 'b']), connectionId: z.string().regex(/^0x[0-9a-f]{64}$/) }),
})

export function toUnsigned(action: Action, nonce: number, source: Network): JsonObject {
  const inOrder = ordered(action)
  const typedData = agentTypedData(actionHash({ action: inOrder, nonce }), source)
  return { action: inOrder, nonce, ...typedData } as unknown as JsonObject
}

/** Reads a stored artifact back. The hash is made again: what is signed must be what is sent. */
export function readArtifact(unsigned: JsonObject): Artifact {
  const parsed = Unsigned.safeParse(unsigned)
  if (!parsed.success) throw violation('the artifact has no shape this lane builds', z.prettifyError(parsed.error))
  const { action, nonce, message } = parsed.data
  const inOrder = ordered(action)
  const connectionId = actionHash({ action: inOrder, nonce })
  if (connectionId !== message.connectionId) throw violation('the typed data does not sign the action beside it')
  return { action: inOrder, nonce, connectionId, source: message.source }
}

/** The client order id an action carries, if any. */
export function cloidOf(action: Action): string | null {
  if (action.type === 'order') return action.orders[0]?.c ?? null
  if (action.type === 'batchModify') return action.modifies[0]?.order.c ?? null
  return null
}

export const violation = (message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: 'hyperliquid', detail })
