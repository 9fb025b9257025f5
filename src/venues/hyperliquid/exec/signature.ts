// Whose signature is it? The owner's own, or that of an agent wallet the owner has approved: the venue books an agent's order on its master.
import { parseSignature, recoverTypedDataAddress } from 'viem'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { agentTypedData, type Hex } from './action.ts'
import { isAgentOf } from './agents.ts'
import type { Artifact } from './artifact.ts'

export interface WireSignature {
  r: Hex
  s: Hex
  v: 27 | 28
}

/**
 * The signer follows from the signature alone; the venue is asked only of one who is not the owner. Throws VALIDATION_ERROR when the signature is
 * nobody's we may act for, and what `isAgentOf` throws.
 */
export async function verifySignature(
  context: LaneContext,
  artifact: Artifact,
  owner: string,
  signature: Hex,
): Promise<WireSignature> {
  const wire = toWire(signature)
  const signer = await context.heavy(() => recover(artifact, signature))
  if (signer === owner.toLowerCase() || (await isAgentOf(context, signer, owner.toLowerCase()))) return wire
  throw refused('it is neither the owner’s nor that of an agent the owner approved')
}

function toWire(signature: Hex): WireSignature {
  let parts: ReturnType<typeof parseSignature>
  try {
    parts = parseSignature(signature)
  } catch (cause) {
    throw refused('it is no 65-byte ECDSA signature', cause)
  }
  return { r: parts.r, s: parts.s, v: parts.yParity === 0 ? 27 : 28 }
}

/** Lower case. */
async function recover({ connectionId, source }: Artifact, signature: Hex): Promise<string> {
  try {
    const signer = await recoverTypedDataAddress({ ...agentTypedData(connectionId, source), signature })
    return signer.toLowerCase()
  } catch (cause) {
    throw refused('no signer can be recovered from it', cause)
  }
}

const refused = (why: string, cause?: unknown): Fault =>
  new Fault('VALIDATION_ERROR', `signature: ${why}`, { exchange: 'hyperliquid', cause, afterWork: true })
