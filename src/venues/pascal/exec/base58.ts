// Keys and signatures in Solana's encoding.
import { base58 } from '@scure/base'
import { z } from 'zod'

/** Null when invalid or of another length. Text of more than twice as many characters is not decoded. */
export function base58Bytes(text: string, length: number): Buffer | null {
  if (text.length > 2 * length) return null
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? Buffer.from(bytes) : null
  } catch {
    // A letter outside the alphabet.
    return null
  }
}

/** Of exactly so many bytes. */
const base58Text = (length: number, message: string) =>
  z
    .string()
    .max(2 * length)
    .refine((text) => base58Bytes(text, length) !== null, message)

export const PublicKey = base58Text(32, 'must be a public key: 32 bytes in base58')
export const SignatureText = base58Text(64, 'must be an Ed25519 signature: 64 bytes in base58')
