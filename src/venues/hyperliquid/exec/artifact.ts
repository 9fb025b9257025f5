// The artifact: the action, its nonce, and the typed data a wallet signs, side by side. `unsigned` can be passed directly to a
// wallet's signTypedData. What held at build must hold at submit: the outcome, the side, and no more money than the bound.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { type BoundsRule, boundsChecker } from '../../shared/exec/bounds.ts'
import { heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { type Action, actionHash, agentTypedData, type Hex, type Network, type OrderWire, ordered } from './action.ts'
import { tick } from './wireNumbers.ts'

export interface Artifact {
  action: Action
  /** Epoch ms; the venue accepts it once per signer. */
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

const Place = z.strictObject({
  type: z.literal('order'),
  orders: z.array(Order).length(1),
  grouping: z.literal('na'),
})
const Cancel = z.strictObject({
  type: z.literal('cancel'),
  cancels: z.array(z.strictObject({ a: Asset, o: Oid })).length(1),
})
const CancelByCloid = z.strictObject({
  type: z.literal('cancelByCloid'),
  cancels: z.array(z.strictObject({ asset: Asset, cloid: Cloid })).length(1),
})
const Modify = z.strictObject({
  type: z.literal('batchModify'),
  modifies: z.array(z.strictObject({ oid: z.union([Oid, Cloid]), order: Order })).length(1),
})

export const ActionShape: z.ZodType<Action> = z.discriminatedUnion('type', [Place, Cancel, CancelByCloid, Modify])

const Nonce = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const unsignedWith = <A extends z.ZodType>(action: A) =>
  z.strictObject({
    action,
    nonce: Nonce,
    domain: z.unknown(),
    types: z.unknown(),
    primaryType: z.literal('Agent'),
    message: z.strictObject({ source: z.enum(['a', 'b']), connectionId: z.string().regex(/^0x[0-9a-f]{64}$/) }),
  })

const Unsigned = unsignedWith(ActionShape)

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = {
  order: unsignedWith(Place),
  cancel: unsignedWith(z.union([Cancel, CancelByCloid])),
  modify: unsignedWith(Modify),
}

export function toUnsigned(action: Action, nonce: number, source: Network): JsonObject {
  const inOrder = ordered(action)
  const typedData = agentTypedData(actionHash({ action: inOrder, nonce }), source)
  return { action: inOrder, nonce, ...typedData } as unknown as JsonObject
}

const readUnsigned = artifactReader('hyperliquid', Unsigned)

/** Reads a stored artifact back. The hash is recomputed: what is signed must be what is sent. */
export function readArtifact(unsigned: JsonObject): Artifact {
  const { action, nonce, message } = readUnsigned(unsigned)
  const inOrder = ordered(action)
  const connectionId = actionHash({ action: inOrder, nonce })
  if (connectionId === message.connectionId) return { action: inOrder, nonce, connectionId, source: message.source }
  throw violation('hyperliquid', 'the typed data does not sign this action')
}

/** The order an action places: a new one, or the replacement of another. Null when it places none. */
export function findOrder(action: Action): OrderWire | null {
  if (action.type === 'order') return action.orders[0]!
  return action.type === 'batchModify' ? action.modifies[0]!.order : null
}

/** The order that an action cancels, by the venue's id or ours. Null when it cancels none. */
export function cancelledIn(action: Action): { asset: number; reference: number | string } | null {
  if (action.type === 'cancel') return { asset: action.cancels[0]!.a, reference: action.cancels[0]!.o }
  if (action.type !== 'cancelByCloid') return null
  return { asset: action.cancels[0]!.asset, reference: action.cancels[0]!.cloid }
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const { action, source } = readArtifact(unsigned)
  const order = findOrder(action)
  if (order === null) return { kind: 'cancel', source, ...cancelledIn(action) }
  const { a: asset, b: isBuy, p: price, s: size, c: reference = null } = order
  const placed = { source, asset, isBuy, price, size, reference, ...heldOptions(optionsOf(order)) }
  if (action.type === 'batchModify') return { kind: 'modify', ...placed, replaces: action.modifies[0]!.oid }
  return { kind: 'order', ...placed }
}

/** The client order id is held as the reference. */
export const optionsOf = ({ t }: OrderWire) =>
  ({
    timeInForce: t.limit.tif === 'Gtc' || t.limit.tif === 'Alo' ? 'good-til-cancel' : 'immediate-or-cancel',
    postOnly: t.limit.tif === 'Alo',
  }) as const satisfies StatedOptions

const network = { source: 'the artifact is for another network' }
const placing = {
  asset: 'the artifact is for another outcome',
  isBuy: 'the artifact is for the other side',
  reference: 'the artifact carries another client order id',
}
const limits: BoundsRule['limits'] = {
  price: 'price',
  size: 'size',
  tick: { always: tick },
  wantsLow: ({ isBuy }) => isBuy === true,
}
const anotherOrder = 'it cancels another order'

export const checkBounds = boundsChecker('hyperliquid', boundsOf, {
  order: { otherwise: 'the action is not an order', same: { ...network, ...placing }, limits },
  modify: {
    otherwise: 'the action is not a modify',
    same: { ...network, replaces: 'it modifies another order', ...placing },
    limits,
  },
  cancel: { otherwise: anotherOrder, same: { ...network, asset: anotherOrder, reference: anotherOrder } },
})

const lastNonces = new WeakMap<Clock, number>()

/**
 * Nonces are milliseconds, and the venue accepts each once per signer: two builds in one millisecond must not share one, or the second
 * order could never be placed. Strictly increasing within the process.
 */
export function nextNonce(clock: Clock): number {
  const nonce = Math.max(clock.now(), (lastNonces.get(clock) ?? 0) + 1)
  lastNonces.set(clock, nonce)
  return nonce
}

/** Older nonces are refused. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/nonces-and-api-wallets */
const nonceAgeMaxMs = 2 * 86_400_000

/** The nonce was assigned at build, so its age counts, not the time of sending. */
export const lateBound = ({ unsigned }: LaneExecution): AcceptanceDeadline => ({
  untilMs: readArtifact(unsigned).nonce + nonceAgeMaxMs,
  rule: 'nonces older than two days are refused',
})
