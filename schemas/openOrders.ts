// Public open orders of an account, as in the specification's "Public open order".
import { z } from 'zod'
import { labMark } from './envelope.ts'

/** Fields the venue does not report are null, never guessed. */
export const OpenOrder = z
  .object({
    venue: z.string(),
    accountId: z.string().describe('as the venue names the account; addresses in lower case'),
    orderId: z.string(),
    marketId: z.string(),
    canonicalMarketId: z
      .string()
      .nullable()
      .describe('`<venue>:<marketId>`; null where the catalog does not have the market'),
    outcomeId: z.string().nullable(),
    side: z.enum(['buy', 'sell', 'back', 'lay']),
    orderType: z.enum(['limit', 'market', 'other']),
    limitPrice: z.number().nullable().describe('probability of the outcome'),
    originalSize: z.number().nullable().describe('shares, as the three below'),
    filledSize: z.number().nullable(),
    remainingSize: z.number().nullable(),
    status: z.string().describe('the venue’s own word; `open` where being listed implies it'),
    createdAt: z.iso.datetime().nullable(),
    updatedAt: z.iso.datetime().nullable(),
    raw: z.unknown().optional().describe('the venue’s own row'),
  })
  .meta({ id: 'OpenOrder' })
export type OpenOrder = z.infer<typeof OpenOrder>

export const OpenOrdersMeta = z
  .object({
    asOf: z.iso.datetime().nullable().describe('when the list was true'),
    provenance: z.object({
      source: z.enum(['venue_api', 'chain', 'derived']),
      visibility: z.enum(['public', 'owner']),
      ...labMark,
    }),
    derived: z.boolean().describe('assembled from logs, not read as a list of orders'),
    cached: z.boolean().describe('read for an earlier call, at most seconds ago'),
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'OpenOrdersMeta' })
export type OpenOrdersMeta = z.infer<typeof OpenOrdersMeta>

export const openOrdersLimitDefault = 20
export const openOrdersLimitMax = 100
export const accountIdLengthMax = 96
