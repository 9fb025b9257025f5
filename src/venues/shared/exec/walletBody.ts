// Wallets as a build body names them.
import { getAddress } from 'viem'
import { z } from 'zod'
import type { Hex } from './typedOrder.ts'

/** Any spelling of an address, kept in its checksummed one. */
export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .refine((text) => !/^0x0{40}$/.test(text), 'must not be the zero address')
  .transform((text): Hex => getAddress(text.toLowerCase()))
