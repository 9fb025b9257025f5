// The artifacts: what submit puts into the payload, without the nonce that the moment of sending gives it. Stored JSON forgets the order
// of its members; `fieldsOf` says them as the venue's own client does.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import { type Payload, RawDigits } from './auth.ts'
import { InstrumentSymbol } from './catalogFacts.ts'
import { paths } from './wire.ts'

const OrderArtifact = z.strictObject({
  request: z.literal(paths.order),
  symbol: InstrumentSymbol,
  orderType: z.literal('limit'),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  /** Whole contracts. */
  quantity: z.string().regex(/^[1-9]\d{0,8}$/),
  /** In the named leg's own dollars. */
  price: z.string().regex(/^0\.\d{2,6}$/),
  timeInForce: z.literal('good-til-cancel'),
  clientOrderId: z.uuid(),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

const CancelArtifact = z.strictObject({
  request: z.literal(paths.cancel),
  /** An integer on the wire, digits here: it has more of them than a JSON reader keeps. */
  orderId: z.string().regex(/^[1-9]\d{0,19}$/),
})
export type CancelArtifact = z.infer<typeof CancelArtifact>

const Artifact = z.discriminatedUnion('request', [OrderArtifact, CancelArtifact])
export type Artifact = z.infer<typeof Artifact>

export function readArtifact(unsigned: JsonObject): Artifact {
  const parsed = Artifact.safeParse(unsigned)
  if (parsed.success) return parsed.data
  throw violation('the artifact has no shape this lane builds', z.prettifyError(parsed.error))
}

export function fieldsOf(artifact: Artifact): Payload {
  if (artifact.request === paths.cancel) return { orderId: new RawDigits(artifact.orderId) }
  const { symbol, orderType, side, outcome, quantity, price, timeInForce, clientOrderId } = artifact
  return { symbol, orderType, side, outcome, quantity, price, timeInForce, clientOrderId }
}

export const violation = (message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: 'gemini', detail })
