// Shared by build bodies of wallet-signed orders.
import { getAddress } from 'viem'
import { z } from 'zod'
import type { Hex } from './typedOrder.ts'

/** Any spelling of an address, normalized to its checksummed form. */
export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .refine((text) => !/^0x0{40}$/.test(text), 'must not be the zero address')
  .transform((text): Hex => getAddress(text.toLowerCase()))

/** Milliseconds given by mistake would rest for ever. */
const expiresAtMax = 9_999_999_999
/** Unix seconds with ten digits; 0: good till cancelled. */
export const ExpiresAt = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^\d{1,10}$/, 'must be Unix seconds')
      .transform(Number),
  ])
  .refine((at) => at >= 0 && at <= expiresAtMax, 'must be 0 or Unix seconds')

/** Names an account whose holdings anyone can read. */
export const WalletAccount = z.strictObject({ wallet: Address })
export type WalletAccount = z.infer<typeof WalletAccount>
