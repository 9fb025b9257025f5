// Addresses that money is sent from or to.
import { isAddress } from 'viem'
import { z } from 'zod'

const digits = /^0x([0-9a-fA-F]{40})$/

/** Text in a single case has no checksum; mixed case does, and a mismatch is a typing error. https://eips.ethereum.org/EIPS/eip-55 */
function isSpelt(text: string): boolean {
  const [, hex = ''] = digits.exec(text) ?? []
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || isAddress(text)
}

/** Normalized to lower case. */
export const EvmAddress = z
  .string()
  .regex(digits, 'must be 0x and 40 hex digits')
  .refine(isSpelt, 'its checksum is wrong: check for typos')
  .refine((text) => !/^0x0{40}$/.test(text), 'must not be the zero address')
  .transform((address) => address.toLowerCase())
