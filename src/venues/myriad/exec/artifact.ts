// The artifacts this lane stores, and what must hold of them at submit: same market, same wallet; no more given, no less received. An order
// is ready for a wallet's signTypedData, plus the fields posted with it; a contract action is a transaction.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { clobTimes, heldOptions } from '../../shared/exec/orderOptions.ts'
import { type Hex, hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { chainId, exchange, order } from './typedData.ts'

const one = 10n ** 18n
const Amount = Uint.refine((text) => BigInt(text) > 0n, 'must be more than nothing')

/** Members of a union have names: client generators cannot distinguish unnamed ones. */
const Message = z
  .strictObject({
    trader: hexText(40),
    marketId: Uint,
    outcomeId: z.union([z.literal(0), z.literal(1)]),
    side: z.union([z.literal(0), z.literal(1)]),
    amount: Amount,
    price: Amount.refine((text) => BigInt(text) < one, 'must be less than one'),
    minFillAmount: z.literal('0'),
    nonce: Uint,
    expiration: z.string().regex(/^(0|[1-9]\d{0,9})$/),
  })
  .meta({ id: 'MyriadOrder' })

const OrderArtifact = order
  .shapeOf(Message, z.literal(exchange))
  .extend({
    /** What submit posts in addition to the signed order. */
    post: z.strictObject({
      network_id: z.literal(chainId),
      /** FAK is the venue's immediate-or-cancel. */
      time_in_force: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
    }),
  })
  .meta({ id: 'MyriadTypedOrder' })
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** The order itself: its signature also authorizes its cancellation. */
const CancelArtifact = z.strictObject({ orderHash: hexText(64), order: Message, network_id: z.literal(chainId) })
export type CancelArtifact = z.infer<typeof CancelArtifact>

/** A transaction its holder sends. */
const CallArtifact = z.strictObject({
  to: hexText(40),
  data: z
    .string()
    .regex(/^0x[0-9a-f]{8}(?:[0-9a-f]{64})*$/)
    .transform((text) => text as Hex),
  value: z.literal('0'),
  chainId: z.int().positive(),
})
export type CallArtifact = z.infer<typeof CallArtifact>

/** Its artifacts by intent: as stored, and read back. A trade with a pool is a transaction. */
export const artifacts = {
  order: z.union([OrderArtifact, CallArtifact]),
  cancel: CancelArtifact,
  redeem: CallArtifact,
  split: CallArtifact,
  merge: CallArtifact,
}

const Artifact = z.union([
  OrderArtifact.transform((order) => ({ kind: 'order' as const, order })),
  CancelArtifact.transform((cancel) => ({ kind: 'cancel' as const, cancel })),
  CallArtifact.transform((call) => ({ kind: 'call' as const, call })),
])

export const readArtifact = artifactReader('myriad', Artifact)

/** Throws ARTIFACT_BOUNDS_VIOLATION for an invalid one. */
export function readOrder(unsigned: JsonObject): OrderArtifact {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'order') return artifact.order
  throw violation('myriad', 'the artifact is not an order of its book')
}

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderHash = orderIdOf('myriad', target)
  const unsigned = { orderHash, order: { ...readOrder(target.unsigned).message }, network_id: chainId }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: orderHash, owner: target.owner })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'call') return { kind: 'call', ...artifact.call }
  if (artifact.kind === 'order') {
    const { message, post } = artifact.order
    const timeInForce = clobTimes[post.time_in_force]
    // Whether it is good-til-date follows from the expiry.
    return { kind: 'order', ...message, ...(timeInForce !== 'good-til-date' && heldOptions({ timeInForce })) }
  }
  const { orderHash, order: message } = artifact.cancel
  return { kind: 'cancel', orderHash, order: JSON.stringify(Object.entries(message).sort()) }
}

const otherwise = 'the artifact differs from what was built'
const anotherOrder = 'it cancels another order'
const anotherCall = 'it is another transaction'

const checkSame = boundsChecker('myriad', boundsOf, {
  order: {
    otherwise,
    same: {
      trader: 'it is another wallet’s',
      marketId: 'it is for another market',
      outcomeId: 'it is for another outcome',
      side: 'it is for another side',
      expiration: 'it expires at another time',
    },
    limits: { price: 'price', size: 'amount', wantsLow: ({ side }) => side === 0 },
  },
  cancel: { otherwise, same: { orderHash: anotherOrder, order: anotherOrder } },
  call: { otherwise, same: { to: anotherCall, data: anotherCall, chainId: anotherCall } },
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order') return
  const { message, post } = artifact.order
  if ((post.time_in_force === 'GTD') === (message.expiration === '0')) {
    throw violation('myriad', 'its lifetime is not as requested')
  }
}

/** Null without an expiry: the maximum age of a request is undocumented. */
export function lateBound({ unsigned }: LaneExecution): AcceptanceDeadline | null {
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order' || artifact.order.post.time_in_force !== 'GTD') return null
  return {
    untilMs: Number(artifact.order.message.expiration) * 1_000,
    rule: 'the exchange’s contract fills no order past its expiry',
  }
}
