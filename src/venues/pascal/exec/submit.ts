// The signed permit, checked and sent once. The signature is the trading key's, Ed25519 over the permit's bytes.
import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { badSignature } from '../../shared/exec/signature.ts'
import { type Artifact, readArtifact, windowOf } from './artifact.ts'
import { base58Bytes, SignatureText } from './base58.ts'
import { accept, pascalErrors } from './errors.ts'
import { keyBytes } from './permit.ts'

export const SubmitBody = z.strictObject({ signature: SignatureText }).meta({
  examples: [{ signature: '1'.repeat(64) }],
})
export type SubmitBody = z.infer<typeof SubmitBody>

const paths = { place_order: '/api/v1/orders', cancel_order: '/api/v1/cancels' } as const

/** Throws VALIDATION_ERROR for an expired permit, INVALID_SIGNATURE for a signature that is not the signer's. */
export async function prepare(
  { clock, heavy }: LaneContext,
  { unsigned }: LaneExecution,
  { signature }: SubmitBody,
): Promise<Prepared> {
  const artifact = readArtifact(unsigned)
  const { madeMs, untilMs } = windowOf(artifact)
  if (clock.now() > untilMs) {
    throw new Fault(
      'VALIDATION_ERROR',
      `this permit expired ${(untilMs - madeMs) / 1_000} s after its build: build it again`,
      {
        exchange: 'pascal',
      },
    )
  }
  if (!(await heavy(() => isSignedBy(artifact, signature)))) {
    throw badSignature('pascal', 'it is not the signer’s over this permit')
  }
  return { submittedArtifact: { ...unsigned, signature }, venueRef: artifact.request.client_order_id }
}

function isSignedBy({ permit, request }: Artifact, signature: string): boolean {
  const x = keyBytes(request.auth.signer).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, permit, key, base58Bytes(signature, 64)!)
  } catch {
    // 32 bytes that are not a valid key.
    return false
  }
}

const Signed = z.object({ signature: SignatureText })

export async function relay(
  { sender, urls, signal }: LaneContext,
  _execution: LaneExecution,
  { submittedArtifact }: Prepared,
): Promise<RelayOutcome> {
  const { signature: stored, ...unsigned } = submittedArtifact
  const { signature } = Signed.parse({ signature: stored })
  const artifact = readArtifact(unsigned)
  const sent = await sender.send({
    method: 'POST',
    url: `${urls.TRADE}${paths[artifact.command]}`,
    text: requestText(artifact, signature),
    headers: { 'content-type': 'application/json' },
    timeoutMs: sendTimeoutMs,
    signal,
  })
  return relayOutcome(pascalErrors, sent, (body) => accept(artifact.request.client_order_id, body))
}

/** Stored JSON loses the order of members; here it is the venue's own client's. A batch of one. */
function requestText({ command, request }: Artifact, signature: string): string {
  const { client_order_id, metadata } = request
  const { client_ts_ms, recv_window_ms, owner, signer } = request.auth
  const auth = { client_ts_ms, recv_window_ms, owner, signer, signature }
  if (command === 'cancel_order') return JSON.stringify([{ client_order_id, metadata, auth }])
  const { symbol, side, price, size, post_only, reduce_only } = request
  return JSON.stringify([{ client_order_id, symbol, side, price, size, metadata, post_only, reduce_only, auth }])
}
