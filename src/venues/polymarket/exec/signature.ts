// Is the signature the owner's, over exactly the stored order? For a Proxy or Safe the owner signs too: the contract derives the wallet.
import { recoverAddress } from 'viem'
import { Fault } from '#lib/fault'
import type { OrderArtifact } from './artifact.ts'
import type { Hex } from './contracts.ts'
import { orderHash } from './typedData.ts'

/** Half the order of secp256k1: the exchange takes only the lower of the two forms of a signature. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The signature as the exchange reads it, v being 27 or 28. Throws VALIDATION_ERROR. */
export async function verifySignature({ domain, message }: OrderArtifact, signature: Hex): Promise<Hex> {
  if (BigInt(`0x${signature.slice(66, 130)}`) > halfOrder) throw refused('its s lies in the upper half')
  const v = Number.parseInt(signature.slice(130), 16)
  const written = `${signature.slice(0, 130)}${(v < 27 ? v + 27 : v).toString(16).padStart(2, '0')}` as Hex
  const hash = orderHash(message, domain.verifyingContract)
  let signer: string
  try {
    signer = await recoverAddress({ hash, signature: written })
  } catch (cause) {
    throw refused('no signer can be recovered from it', cause)
  }
  if (signer.toLowerCase() !== message.signer.toLowerCase()) throw refused('it is not the owner’s over this order')
  return written
}

const refused = (why: string, cause?: unknown): Fault =>
  new Fault('VALIDATION_ERROR', `signature: ${why}`, { exchange: 'polymarket', cause, afterWork: true })
