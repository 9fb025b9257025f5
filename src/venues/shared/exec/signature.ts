// A caller's signature over what a lane built: r, s and v of secp256k1, 65 bytes.
import { recoverAddress } from 'viem'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ExecutionVenue } from '#schemas/venues'
import type { LaneExecution } from '../../lane.ts'
import type { Hex } from './typedOrder.ts'

export const SignatureText = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x and 130 hex digits: r, s and v')
  .transform((text) => text as Hex)

/** An example for the API document: valid in form, without a signer. */
export const signatureExample = `0x${'1b'.repeat(65)}`

/** Half the order of secp256k1: contracts accept only the lower of the two forms of a signature. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Lower case. Throws INVALID_SIGNATURE for one that no key can have made. */
export async function signerOf(venue: ExecutionVenue, hash: Hex, signature: Hex): Promise<string> {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase()
  } catch (cause) {
    throw badSignature(venue, 'no signer can be recovered from it', cause)
  }
}

/**
 * In the form contracts read, v being 27 or 28. Throws INVALID_SIGNATURE unless it is `signer`'s signature over exactly
 * this hash.
 */
export async function contractSignature(
  venue: ExecutionVenue,
  { hash, signer }: { hash: Hex; signer: string },
  signature: Hex,
): Promise<Hex> {
  if (BigInt(`0x${signature.slice(66, 130)}`) > halfOrder) throw badSignature(venue, 'its s lies in the upper half')
  const v = Number.parseInt(signature.slice(130), 16)
  const written = `${signature.slice(0, 130)}${(v < 27 ? v + 27 : v).toString(16).padStart(2, '0')}` as Hex
  if ((await signerOf(venue, hash, written)) === signer.toLowerCase()) return written
  throw badSignature(venue, 'it is not the owner’s over this order')
}

export const badSignature = (venue: ExecutionVenue, why: string, cause?: unknown): Fault =>
  new Fault('INVALID_SIGNATURE', `signature: ${why}`, { exchange: venue, cause, afterWork: true })

/** The wallet that signs; the core stores it with every execution of a lane that needs one. */
export function ownerOf(venue: ExecutionVenue, { owner }: Pick<LaneExecution, 'owner'>): string {
  if (owner === null) throw new Fault('INTERNAL', `a ${venue} execution without its owner`)
  return owner
}
