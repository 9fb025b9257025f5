// Settings for lanes whose venues publish only part of what an order is signed for: without them there is nothing to sign.
import { z } from 'zod'
import type { LaneSetting } from '../../lane.ts'
import { Address } from './walletBody.ts'

type Needed = LaneSetting & { needed: true }

export const contractSetting = (is: string): Needed => ({
  is,
  shape: Address,
  needed: true,
  onPaper: '0x0000000000000000000000000000000000000001',
})

export const chainSetting = (is: string): Needed => ({
  is,
  shape: z.string().regex(/^[1-9]\d{0,14}$/, 'must be a chain id'),
  needed: true,
  onPaper: '1',
})

/** A setting of an EIP-712 domain. */
export const domainSetting = (is: string): Needed => ({
  is,
  shape: z.string().regex(/^[\x20-\x7e]{1,100}$/, 'must be plain text'),
  needed: true,
  onPaper: '1',
})
