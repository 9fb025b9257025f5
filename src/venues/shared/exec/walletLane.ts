// Submit for orders signed by a wallet and posted by a request that a caller's key signs. The signature is checked and stored next to the order;
// the key lives only during the request. A cancel needs only the key. A redemption and other calls to the contracts that hold the tokens are
// transactions of their holder: sentCall.ts.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject, PositionIntent } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { type ApiKeyClient, type Call, type Credentials, sendKeyed } from './apiKeyClient.ts'
import { relayOutcome } from './relay.ts'
import { contractSignature, ownerOf, SignatureText, signatureExample } from './signature.ts'
import type { Hex } from './typedOrder.ts'

export type WalletArtifact<Order, Cancel> =
  | { kind: 'order'; order: Order }
  | { kind: 'cancel'; cancel: Cancel }
  | { kind: 'redeem' | PositionIntent }

interface Signed {
  hash: Hex
  /** Whose signature over it is required; for a Proxy or a Safe, the owner's. */
  signer: string
  /** The venue's order id, when it follows from the order. */
  venueRef: string | null
}

interface WalletSubmit<C extends Credentials, Order extends object, Cancel extends object> {
  venue: ExecutionVenue
  credentials: z.ZodObject & z.ZodType<C>
  /** `owner`: of the execution. */
  api(owner: string): ApiKeyClient<C>
  readArtifact(unsigned: JsonObject): WalletArtifact<Order, Cancel>
  order: {
    /** `owner`: of the execution. */
    signed(order: Order, owner: string): Signed
    /** Further conditions before sending, read with the credentials. Throws VALIDATION_ERROR and whatever reads throw. `signature`: the caller's, checked. */
    check?(context: LaneContext, execution: LaneExecution, order: Order, credentials: C, signature: Hex): Promise<void>
    /** The request that posts it. `signature`: in the form contracts read. Adds what must not be stored. */
    call(order: Order, signature: Hex, credentials: C, context: LaneContext): Call
    accept(body: unknown, execution: LaneExecution): RelayOutcome | null
  }
  /** For a lane that builds cancellations. */
  cancel?: {
    call(cancel: Cancel): Call
    /** The venue's id of the order to cancel. */
    orderIdIn(cancel: Cancel): string
    accept(body: unknown, cancel: Cancel): RelayOutcome | null
  }
}

type Send<C> = C & { signature?: Hex | undefined }

/** Each secret is a separate field of the body: refused credentials are remembered by those. */
function credentialsIn<C extends Credentials>({ signature: _, ...credentials }: Send<C>): C {
  return credentials as unknown as C
}

const Stored = z.object({ signature: SignatureText })

export const walletSubmit = <C extends Credentials, Order extends object, Cancel extends object = never>(
  lane: WalletSubmit<C, Order, Cancel>,
) => ({
  body: bodyOf(lane.credentials),
  fields: ['signature', ...Object.keys(lane.credentials.shape)],
  async prepare(context: LaneContext, execution: LaneExecution, send: Send<C>): Promise<Prepared> {
    const { signature } = send
    const credentials = credentialsIn(send)
    const artifact = lane.readArtifact(execution.unsigned)
    const api = lane.api(ownerOf(lane.venue, execution))
    // Unusable credentials are refused here, before anything is recorded as sent.
    await api.headers(context, credentials, { method: 'POST', path: '/', text: '' }, `${context.urls[api.base]}/`)
    if (artifact.kind !== 'order' && artifact.kind !== 'cancel') {
      const noun = artifact.kind === 'redeem' ? 'redemption' : artifact.kind
      throw new Fault('NOT_IMPLEMENTED', `a ${noun} is a transaction: the wallet that holds the tokens sends it`, {
        exchange: lane.venue,
      })
    }
    if (artifact.kind === 'cancel') {
      if (signature !== undefined) throw new Fault('VALIDATION_ERROR', 'signature: a cancellation is not signed')
      return {
        submittedArtifact: { ...artifact.cancel } as JsonObject,
        venueRef: lane.cancel!.orderIdIn(artifact.cancel),
      }
    }
    if (signature === undefined) throw new Fault('VALIDATION_ERROR', 'signature: is needed to place an order')
    const { venueRef, ...signingRequest } = lane.order.signed(artifact.order, ownerOf(lane.venue, execution))
    const written = await context.heavy(() => contractSignature(lane.venue, signingRequest, signature))
    await lane.order.check?.(context, execution, artifact.order, credentials, written)
    return { submittedArtifact: { ...artifact.order, signature: written } as unknown as JsonObject, venueRef }
  },
  async relay(
    context: LaneContext,
    execution: LaneExecution,
    { submittedArtifact }: Prepared,
    send: Send<C>,
  ): Promise<RelayOutcome> {
    const credentials = credentialsIn(send)
    const api = lane.api(ownerOf(lane.venue, execution))
    const { signature: stored, ...unsigned } = submittedArtifact
    const artifact = lane.readArtifact(unsigned)
    if (artifact.kind !== 'order' && artifact.kind !== 'cancel')
      throw new Fault('INTERNAL', 'a transaction was prepared')
    if (artifact.kind === 'cancel') {
      const sent = await sendKeyed(api, context, credentials, lane.cancel!.call(artifact.cancel))
      return relayOutcome(api.words, sent, (body) => lane.cancel!.accept(body, artifact.cancel))
    }
    const { signature } = Stored.parse({ signature: stored })
    const call = lane.order.call(artifact.order, signature, credentials, context)
    const sent = await sendKeyed(api, context, credentials, call)
    return relayOutcome(api.words, sent, (body) => lane.order.accept(body, execution))
  },
})

/** The credentials, plus a signature for an order; a cancellation needs none. */
const bodyOf = <C>(credentials: z.ZodObject & z.ZodType<C>): z.ZodType<Send<C>> =>
  // Besides the signature there is only what the credentials' schema reads.
  credentials
    .extend({ signature: SignatureText.optional() })
    .meta({ examples: signedExamples(credentials) }) as unknown as z.ZodType<Send<C>>

const signedExamples = (credentials: z.ZodType): unknown[] =>
  ((credentials.meta()?.examples as object[] | undefined) ?? []).map((given) => ({
    ...given,
    signature: signatureExample,
  }))
