// What a caller may send to build on XO. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

/**
 * A direct account, and a smart account that verifies its own signatures. The two values in between belong to other
 * venues.
 */
export const accountKinds = { direct: 0, smart: 3 } as const

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars. */
      price: Amount,
      /** Outcome shares. */
      size: Amount,
      /** The smart account; with `signatureType` 0 the account that signs itself. */
      owner: Address,
      signatureType: z
        .literal([accountKinds.direct, accountKinds.smart], 'must be 3 (smart account) or 0 (direct account)')
        .default(accountKinds.smart),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .meta({
    examples: [
      {
        outcome: '2000',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.5',
        size: '20',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
