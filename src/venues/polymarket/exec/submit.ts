// The signed order, or the cancellation, sent once under the caller's API key. The key's id stands in the posted body as `owner`: it is
// written in at sending and never stored.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/keyedApi.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { contractSignature, ownerOf, SignatureText } from '../../shared/exec/signature.ts'
import { acceptCancel, acceptOrder, clobWords } from './answer.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { authHeaders, clobApi, credentialShape } from './auth.ts'
import { orderHash } from './typedData.ts'
import { paths } from './wire.ts'

export const SubmitBody = z.strictObject({
  ...credentialShape,
  /** Of an order; a cancellation needs none. */
  signature: SignatureText.optional(),
})
export type SubmitBody = z.infer<typeof SubmitBody>

const Signed = z.object({ signature: z.string() })

export async function prepare(
  { clock, heavy }: LaneContext,
  execution: LaneExecution,
  { signature, ...credentials }: SubmitBody,
): Promise<Prepared> {
  const artifact = readArtifact(execution.unsigned)
  const address = ownerOf('polymarket', execution)
  // Unreadable credentials are refused here, before anything is recorded as sent.
  authHeaders(credentials, { address, method: 'POST', path: '/', nowMs: clock.now() })
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
  const { message, domain } = artifact.order
  const hash = orderHash(message, domain.verifyingContract)
  // For a Proxy or Safe the owner signs too: the contract derives the wallet.
  const written = await heavy(() => contractSignature('polymarket', { hash, signer: message.signer }, signature))
  return { submittedArtifact: { ...artifact.order, signature: written } as unknown as JsonObject, venueRef: hash }
}

export async function relay(
  context: LaneContext,
  execution: LaneExecution,
  prepared: Prepared,
  { signature: _, ...credentials }: SubmitBody,
): Promise<RelayOutcome> {
  const api = clobApi(ownerOf('polymarket', execution))
  const { signature: stored, ...unsigned } = prepared.submittedArtifact
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'redeem') throw new Fault('INTERNAL', 'a redemption was prepared')
  if (artifact.kind === 'cancel') {
    const { orderID } = artifact.cancel
    const call = { method: 'DELETE', path: paths.order, text: JSON.stringify({ orderID }) } as const
    const sent = await sendKeyed(api, context, credentials, call)
    return relayOutcome(clobWords, sent, (body) => acceptCancel(body, orderID))
  }
  const { signature } = Signed.parse({ signature: stored })
  const text = postText(artifact.order, signature, credentials.apiKey.reveal())
  const sent = await sendKeyed(api, context, credentials, { method: 'POST', path: paths.order, text })
  return relayOutcome(clobWords, sent, (body) => acceptOrder(body, execution))
}

/** As the venue's own client writes it, member by member. */
function postText({ message, post }: OrderArtifact, signature: string, apiKey: string): string {
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
