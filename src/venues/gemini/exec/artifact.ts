// The artifacts: the payload that submit sends, without the nonce, which is added at that moment; and what must hold of them at submit.
// Stored JSON loses the order of members; `callOf` restores the order of the venue's own client.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { heldOptions, type StatedOptions } from '../../shared/exec/orderOptions.ts'
import { symbolForm } from '../ids.ts'
import { type GeminiCall, RawDigits } from './payload.ts'
import { paths } from './wire.ts'

export const InstrumentSymbol = z.string().regex(symbolForm)

const OrderArtifact = z.strictObject({
  request: z.literal(paths.order),
  symbol: InstrumentSymbol,
  orderType: z.literal('limit'),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  /** Contracts: whole ones, or multiples of the contract's own step. */
  quantity: z.string().regex(/^(?=.*[1-9])(0|[1-9]\d{0,8})(\.\d{1,8})?$/),
  /** In dollars of the named leg. */
  price: z.string().regex(/^0\.\d{2,6}$/),
  /** `maker-or-cancel`: it rests, and is refused where it would take. */
  timeInForce: z.enum(['good-til-cancel', 'immediate-or-cancel', 'fill-or-kill', 'maker-or-cancel']),
  clientOrderId: z.uuid(),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

const CancelArtifact = z.strictObject({
  request: z.literal(paths.cancel),
  /** An integer on the wire, digits here: it exceeds what a JSON parser keeps. */
  orderId: z.string().regex(/^[1-9]\d{0,19}$/),
})

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact, cancel: CancelArtifact }

const Artifact = z.discriminatedUnion('request', [OrderArtifact, CancelArtifact])
export type Artifact = z.infer<typeof Artifact>

export const readArtifact = artifactReader('gemini', Artifact)

/** The venue's id of the order acted on. */
export const orderIdIn = (artifact: Artifact): string | null =>
  artifact.request === paths.cancel ? artifact.orderId : null

/** The whole request travels in a header. */
export function callOf(artifact: Artifact): GeminiCall {
  const call = { method: 'POST', path: artifact.request, text: null } as const
  if (artifact.request === paths.cancel) return { ...call, fields: { orderId: new RawDigits(artifact.orderId) } }
  const { symbol, orderType, side, outcome, quantity, price, timeInForce, clientOrderId } = artifact
  return { ...call, fields: { symbol, orderType, side, outcome, quantity, price, timeInForce, clientOrderId } }
}

/** Only the stored order id. The key comes with submit. */
export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = orderIdOf('gemini', target)
  const unsigned = { request: paths.cancel, orderId }
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: orderId })
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const artifact = readArtifact(unsigned)
  if (artifact.request === paths.cancel) return { kind: 'cancel', orderId: artifact.orderId }
  const { symbol, side, outcome, price, quantity } = artifact
  return { kind: 'order', symbol, side, outcome, price, quantity, ...heldOptions(optionsOf(artifact)) }
}

export const optionsOf = ({ timeInForce, clientOrderId }: OrderArtifact) =>
  ({
    timeInForce: timeInForce === 'maker-or-cancel' ? 'good-til-cancel' : timeInForce,
    postOnly: timeInForce === 'maker-or-cancel',
    clientOrderId,
  }) as const satisfies StatedOptions

const anotherSide = 'the artifact is for another side'
const anotherOrder = 'it cancels another order'

export const checkBounds = boundsChecker('gemini', boundsOf, {
  order: {
    otherwise: 'a cancellation where an order was built',
    same: { symbol: 'the artifact is for another instrument', side: anotherSide, outcome: anotherSide },
    limits: { price: 'price', size: 'quantity', tick: 'tick', wantsLow: ({ side }) => side === 'buy' },
  },
  cancel: { otherwise: anotherOrder, same: { orderId: anotherOrder } },
})
