// Keys and signatures in Solana's encoding.
import { z } from 'zod'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Null when invalid or of another length. Text of more than twice as many characters is not decoded. */
export function base58Bytes(text: string, length: number): Buffer | null {
  if (text.length > 2 * length) return null
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const digits = value === 0n ? '' : value.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  // Each leading 1 is a byte of zeros.
  const zeros = /^1*/.exec(text)![0].length
  return zeros + bytes.length === length ? Buffer.concat([Buffer.alloc(zeros), bytes]) : null
}

/** Of exactly so many bytes. */
const base58 = (length: number, message: string) =>
  z
    .string()
    .max(2 * length)
    .refine((text) => base58Bytes(text, length) !== null, message)

export const PublicKey = base58(32, 'must be a public key: 32 bytes in base58')
export const SignatureText = base58(64, 'must be an Ed25519 signature: 64 bytes in base58')
