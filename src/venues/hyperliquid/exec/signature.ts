// Whose signature is it? The owner's own, or that of an agent wallet the owner has approved: the venue books an agent's order on its master.
import { parseSignature, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { LaneContext } from '../../lane.ts'
import { agentTypedData, type Hex } from './action.ts'
import type { Artifact } from './artifact.ts'
import { info } from './info.ts'

export interface WireSignature {
  r: Hex
  s: Hex
  v: 27 | 28
}

const UserRole = z.union([
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string() }) }),
  z.object({ role: z.string() }),
])

/** Throws VALIDATION_ERROR when the signature is nobody's we may act for, NETWORK_ERROR when the agents cannot be read. */
export async function verifySignature(
  context: LaneContext,
  artifact: Artifact,
  owner: string,
  signature: Hex,
): Promise<WireSignature> {
  const wire = toWire(signature)
  const signer = await context.heavy(() => recover(artifact, signature))
  if (same(signer, owner)) return wire
  const role = await info(context, { type: 'userRole', user: signer.toLowerCase() }, UserRole)
  if (role.role === 'agent' && 'data' in role && same(role.data.user, owner)) return wire
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

async function recover({ connectionId, source }: Artifact, signature: Hex): Promise<string> {
  try {
    return await recoverTypedDataAddress({ ...agentTypedData(connectionId, source), signature })
  } catch (cause) {
    throw refused('no signer can be recovered from it', cause)
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const refused = (why: string, cause?: unknown): Fault =>
  new Fault('VALIDATION_ERROR', `signature: ${why}`, { exchange: 'hyperliquid', cause, afterWork: true })
