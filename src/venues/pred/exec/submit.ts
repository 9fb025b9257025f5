// The signed order, or the cancellation, sent once with the caller's access token.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/apiKeyClient.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { contractSignature, SignatureText, signatureExample } from '../../shared/exec/signature.ts'
import { accountOf, cancelCall, placeCall, readArtifact } from './artifact.ts'
import { checkAccount, credentialShape, predApi, tokenText } from './auth.ts'
import { acceptCancel, acceptOrder, cancelErrors, placeErrors } from './errors.ts'
import { orderOn } from './typedData.ts'

export const SubmitBody = z
  .strictObject({
    ...credentialShape,
    /** For an order; a cancellation needs none. */
    signature: SignatureText.optional(),
  })
  .meta({
    examples: [
      { owner: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47', accessToken: 'token-1', signature: signatureExample },
    ],
  })
export type SubmitBody = z.infer<typeof SubmitBody>

const Signed = z.object({ signature: z.string() })

export async function prepare(
  { heavy }: LaneContext,
  execution: LaneExecution,
  { signature, ...credentials }: SubmitBody,
): Promise<Prepared> {
  const artifact = readArtifact(execution.unsigned)
  checkAccount(execution, credentials)
  // Unreadable credentials are refused here, before anything is recorded as sent.
  tokenText(credentials)
  if (artifact.kind === 'cancel') {
    if (signature !== undefined) throw new Fault('VALIDATION_ERROR', 'signature: a cancellation is not signed')
    return { submittedArtifact: { ...artifact.cancel }, venueRef: artifact.cancel.order_id }
  }
  if (signature === undefined) throw new Fault('VALIDATION_ERROR', 'signature: is needed to place an order')
  const { message, domain } = artifact.order
  const hash = orderOn(domain.chainId).hash(message, domain.verifyingContract)
  // The Safe's controller signs for it.
  const written = await heavy(() => contractSignature('pred', { hash, signer: message.signer }, signature))
  return { submittedArtifact: { ...artifact.order, signature: written } as unknown as JsonObject, venueRef: null }
}

export async function relay(
  context: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
  { accessToken }: SubmitBody,
): Promise<RelayOutcome> {
  const { signature: stored, ...unsigned } = prepared.submittedArtifact
  const artifact = readArtifact(unsigned)
  const api = predApi(accountOf(artifact))
  if (artifact.kind === 'cancel') {
    const sent = await sendKeyed(api, context, { accessToken }, cancelCall(artifact.cancel))
    return relayOutcome(cancelErrors, sent, (body) => acceptCancel(body, artifact.cancel.order_id))
  }
  const { signature } = Signed.parse({ signature: stored })
  const call = placeCall(artifact.order, signature, context.clock.now())
  const sent = await sendKeyed(api, context, { accessToken }, call)
  return relayOutcome(placeErrors, sent, (body) => acceptOrder(body, artifact.order, context.clock.now()))
}
