// The signed action, checked and sent once. The signature is the owner's own, or that of an agent wallet the owner has approved: the venue books
// an agent's order on its master.
import { hashTypedData, parseSignature } from 'viem'
import { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { badSignature, ownerOf, SignatureText, signatureExample, signerOf } from '../../shared/exec/signature.ts'
import { type Action, agentTypedData, type Hex, ordered } from './action.ts'
import { isAgentOf } from './agents.ts'
import { ActionShape, type Artifact, findOrder, readArtifact } from './artifact.ts'
import { readExecuted } from './derived.ts'
import { accept, hyperliquidErrors } from './errors.ts'

export const SubmitBody = z
  .strictObject({ signature: SignatureText })
  .meta({ examples: [{ signature: signatureExample }] })
export type SubmitBody = z.infer<typeof SubmitBody>

const SignedAction = z.object({
  action: ActionShape,
  nonce: z.number().int(),
  signature: z.object({ r: z.string(), s: z.string(), v: z.union([z.literal(27), z.literal(28)]) }),
})

export async function prepare(context: LaneContext, execution: LaneExecution, send: SubmitBody): Promise<Prepared> {
  const owner = ownerOf('hyperliquid', execution)
  const artifact = readArtifact(execution.unsigned)
  const signature = await verifySignature(context, artifact, owner, send.signature)
  const { action, nonce } = artifact
  await checkStillFits(context, execution, action)
  return {
    submittedArtifact: { action, nonce, signature } as unknown as JsonObject,
    // The venue assigns order ids; a cancel already knows it.
    venueRef: action.type === 'cancel' ? String(action.cancels[0]?.o) : null,
  }
}

interface WireSignature {
  r: Hex
  s: Hex
  v: 27 | 28
}

/**
 * The signer follows from the signature alone; the venue is queried only if it is not the owner. Throws INVALID_SIGNATURE for a signer we
 * may not act for, and whatever `isAgentOf` throws.
 */
async function verifySignature(
  context: LaneContext,
  { connectionId, source }: Artifact,
  owner: string,
  signature: Hex,
): Promise<WireSignature> {
  const wire = toWire(signature)
  const signer = await context.heavy(() =>
    signerOf('hyperliquid', hashTypedData(agentTypedData(connectionId, source)), signature),
  )
  if (signer === owner.toLowerCase() || (await isAgentOf(context, signer, owner.toLowerCase()))) return wire
  throw badSignature('hyperliquid', 'it is neither the owner’s nor that of an agent the owner approved')
}

function toWire(signature: Hex): WireSignature {
  try {
    const { r, s, yParity } = parseSignature(signature)
    return { r, s, v: yParity === 0 ? 27 : 28 }
  } catch (cause) {
    throw badSignature('hyperliquid', 'it is not a 65-byte ECDSA signature', cause)
  }
}

/** Fills between the build and now would otherwise rest a second time. */
async function checkStillFits(context: LaneContext, execution: LaneExecution, action: Action): Promise<void> {
  const replaced = action.type === 'batchModify' ? action.modifies[0]?.oid : undefined
  const { executed } = execution.bounds
  if (replaced === undefined || typeof executed !== 'string') return
  if (compareDecimals(await readExecuted(context, execution, replaced), executed) === 0) return
  throw new Fault(
    'ARTIFACT_BOUNDS_VIOLATION',
    'more of the order was filled since this change was built: build it again',
    {
      exchange: 'hyperliquid',
    },
  )
}

export async function relay(
  { sender, urls, signal }: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
): Promise<RelayOutcome> {
  const { action, nonce, signature } = SignedAction.parse(prepared.submittedArtifact)
  const sent = await sender.send({
    method: 'POST',
    url: `${urls.REST}/exchange`,
    text: JSON.stringify({ action: ordered(action), nonce, signature }),
    headers: { 'content-type': 'application/json' },
    timeoutMs: sendTimeoutMs,
    signal,
  })
  return relayOutcome(hyperliquidErrors, sent, (body) => accept(body, prepared.venueRef, findOrder(action)?.c))
}
