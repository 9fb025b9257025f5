// Shared by the trader routes: parameters, and how an answer is assembled.

import { z } from 'zod'
import { AsOf } from '#schemas/envelope'
import { TraderProvenance } from '#schemas/traders'
import type { RouteAnswer } from '#server/http/defineRoute'
import { queryWhole } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'

export const limitMax = 100
const limitDefault = 20

export const Limit = queryWhole({ min: 1, max: limitMax }).default(limitDefault)
export const Cursor = z.string().min(1).max(2_048)

const MarketId = z.string().min(1).max(256)
/** Any text of such length: an invalid wallet is an unknown one, and that is 404. No venue's wallets begin with `0X`: it is a typo for `0x`. */
export const Wallet = z
  .string()
  .min(1)
  .max(96)
  .regex(/^(?!0X)/, 'an address begins with 0x, the x in lower case')

export const VenuePath = z.object({ venue: VenueName })
export const MarketPath = VenuePath.extend({ marketId: MarketId })
export const WalletPath = VenuePath.extend({ addr: Wallet })

export const PageQuery = z.object({ limit: Limit, cursor: Cursor.optional() })

/** `venue-rest`: the venue, as of `asOf`. `archive`: our own record. */
type Source = 'venue-rest' | 'archive'

export interface VenueReport {
  /** Epoch ms; null: nothing was ever read or recorded. */
  asOf: number | null
  source: Source
  notes: readonly string[]
  nextCursor?: string | undefined
  /** The data was read from the venue for an earlier request. */
  cached?: boolean
}

/** The shape of `answer`. */
export const metaSchema = {
  asOf: AsOf,
  provenance: TraderProvenance,
  /** The data was read from the venue for an earlier request. */
  cached: z.boolean().optional(),
  /** What a reader must know to interpret the rows. */
  notes: z.array(z.string()),
}

export function answer(data: unknown, { asOf, source, notes, nextCursor, cached }: VenueReport): RouteAnswer {
  const siblings = {
    asOf: asOf === null ? null : new Date(asOf).toISOString(),
    provenance: { source },
    ...(cached === undefined ? {} : { cached }),
    notes,
  }
  return { data, siblings: nextCursor === undefined ? siblings : { ...siblings, nextCursor } }
}

export const venueErrors = ['EXCHANGE_NOT_AVAILABLE', 'TRADERS_UNSUPPORTED', 'NETWORK_ERROR'] as const
