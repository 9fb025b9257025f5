// The signed order, or the cancellation, sent once under the caller's API key. The key's id stands in the posted body as `owner`: it is
// written in at sending and never stored.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { matchedAtOnce } from '../../shared/exec/accepted.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { redactAnswer } from '../../shared/redact.ts'
import { clobWords, outcomeOfText } from './answer.ts'
import { type CancelArtifact, type OrderArtifact, readArtifact } from './artifact.ts'
import { authHeaders, type Credentials, credentialShape } from './auth.ts'
import type { Hex } from './contracts.ts'
import { verifySignature } from './signature.ts'
import { orderHash } from './typedData.ts'
import { ClobCanceled, ClobPlaced, paths } from './wire.ts'

const timeoutMs = 10_000

export const SubmitBody = z.strictObject({
  ...credentialShape,
  /** Of an order; a cancellation needs none. */
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x and 130 hex digits: r, s and v')
    .transform((text) => text as Hex)
    .optional(),
})
export type SubmitBody = z.infer<typeof SubmitBody>

const Signed = z.object({ signature: z.string() })

export async function prepare(
  { clock, heavy }: LaneContext,
  execution: LaneExecution,
  { signature, ...credentials }: SubmitBody,
): Promise<Prepared> {
  const artifact = readArtifact(execution.unsigned)
  // Unreadable credentials are refused here, before anything is recorded as sent.
  authHeaders(credentials, { address: ownerOf(execution), method: 'POST', path: '/', nowMs: clock.now() })
  if (artifact.kind === 'redeem') {
    throw new Fault('NOT_IMPLEMENTED', 'a redemption is a transaction: the wallet that holds the tokens sends it', {
      exchange: 'polymarket',
    })
  }
  if (artifact.kind === 'cancel') {
    if (signature !== undefined) throw new Fault('VALIDATION_ERROR', 'signature: a cancellation is not signed')
    return { submittedArtifact: { ...artifact.cancel }, venueRef: artifact.cancel.orderID }
  }
  if (signature === undefined) throw new Fault('VALIDATION_ERROR', 'signature: is needed to place an order')
  const written = await heavy(() => verifySignature(artifact.order, signature))
  const { message, domain } = artifact.order
  return {
    submittedArtifact: { ...artifact.order, signature: written } as unknown as JsonObject,
    venueRef: orderHash(message, domain.verifyingContract),
  }
}

export async function relay(
  context: LaneContext,
  execution: LaneExecution,
  prepared: Prepared,
  { signature: _, ...credentials }: SubmitBody,
): Promise<RelayOutcome> {
  const address = ownerOf(execution)
  const { signature: stored, ...unsigned } = prepared.submittedArtifact
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'order') {
    const signed = Signed.parse({ signature: stored })
    const text = postText(artifact.order, signed.signature, credentials.apiKey.reveal())
    const sent = await send(context, credentials, address, 'POST', text)
    return relayOutcome(clobWords, sent, (body) => acceptOrder(body, execution))
  }
  if (artifact.kind === 'redeem') throw new Fault('INTERNAL', 'a redemption was prepared')
  const sent = await send(context, credentials, address, 'DELETE', cancelText(artifact.cancel))
  return relayOutcome(clobWords, sent, (body) => acceptCancel(body, artifact.cancel.orderID))
}

/** As the venue's own client writes it, member by member. */
export function postText({ message, post }: OrderArtifact, signature: string, apiKey: string): string {
  return JSON.stringify({
    deferExec: false,
    postOnly: false,
    order: {
      salt: Number(message.salt),
      maker: message.maker,
      signer: message.signer,
      tokenId: message.tokenId,
      makerAmount: message.makerAmount,
      takerAmount: message.takerAmount,
      side: message.side === 0 ? 'BUY' : 'SELL',
      signatureType: message.signatureType,
      timestamp: message.timestamp,
      expiration: post.expiration,
      metadata: message.metadata,
      builder: message.builder,
      signature,
    },
    owner: apiKey,
    orderType: post.orderType,
  })
}

const cancelText = ({ orderID }: CancelArtifact): string => JSON.stringify({ orderID })

async function send(
  { sender, clock, urls, signal }: LaneContext,
  credentials: Credentials,
  address: string,
  method: 'POST' | 'DELETE',
  text: string,
) {
  const sent = await sender.send({
    method,
    url: `${urls.CLOB}${paths.order}`,
    text,
    headers: () => ({
      'content-type': 'application/json',
      ...authHeaders(credentials, { address, method, path: paths.order, body: text, nowMs: clock.now() }),
    }),
    timeoutMs,
    signal,
  })
  return redactAnswer(sent, Object.values(credentials))
}

/** Also where it matched at once: refresh brings the fills with the transition, and so each is counted once. */
function acceptOrder(body: unknown, { terms }: LaneExecution): RelayOutcome | null {
  const answer = ClobPlaced.safeParse(body)
  if (!answer.success) return null
  const { success, orderID, errorMsg, makingAmount, takingAmount } = answer.data
  if (success && orderID) {
    const matched = matchedAtOnce(terms?.isBuy ? takingAmount : makingAmount, terms?.size)
    return { kind: 'accepted', venueRef: orderID, status: 'acked', fills: [], ...matched }
  }
  return errorMsg ? outcomeOfText(errorMsg) : null
}

function acceptCancel(body: unknown, orderID: string): RelayOutcome | null {
  const answer = ClobCanceled.safeParse(body)
  if (!answer.success) return null
  const same = (id: string): boolean => id.toLowerCase() === orderID.toLowerCase()
  if (answer.data.canceled.some(same)) return { kind: 'accepted', venueRef: orderID, status: 'acked', fills: [] }
  const [, reason] = Object.entries(answer.data.not_canceled ?? {}).find(([id]) => same(id)) ?? []
  return reason === undefined ? null : { kind: 'rejected', reason: reason || 'not canceled' }
}

function ownerOf({ owner }: LaneExecution): string {
  if (owner === null) throw new Fault('INTERNAL', 'a polymarket execution without its owner')
  return owner
}
