// The artifact is the body of the one request that places it; the token is made at submit. Stored JSON forgets the order of its members: `callOf`
// says them as the venue's documents do.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import type { Call } from '../../shared/exec/keyedApi.ts'
import { isId } from '../id.ts'
import { paths } from './wire.ts'

/** Probability with three digits at most, both ends left out. */
export const priceStep = '0.001'

const OrderArtifact = z.strictObject({
  outcomeId: z.string().refine(isId),
  price: z
    .number()
    .min(0.001)
    .max(0.999)
    .refine((price) => /^0\.\d{1,3}$/.test(String(price))),
  /** Cents of payout. */
  qty: z.int().positive().max(1e13),
  /** The other one is play money. */
  currency: z.literal('CASH'),
  tif: z.literal('GTC'),
  /** Eight characters that are the trader's own: our name for the order. */
  flags: z.string().regex(/^[0-9a-z]{8}$/),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** What it builds, by intent: as it is stored, and read back. */
export const artifacts = { order: OrderArtifact }

export const readArtifact = artifactReader('novig', OrderArtifact)

export function callOf({ outcomeId, price, qty, currency, tif, flags }: OrderArtifact): Call {
  return { method: 'POST', path: paths.place, text: JSON.stringify({ outcomeId, price, qty, currency, tif, flags }) }
}

/** What an artifact says of itself. Throws where it is none. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const { outcomeId, price, qty, flags } = readArtifact(unsigned)
  return { kind: 'order', outcomeId, flags, price: String(price), qty: String(qty) }
}

export const checkBounds = boundsChecker('novig', boundsOf, {
  order: {
    otherwise: 'the artifact is not an order',
    same: { outcomeId: 'the artifact is for another outcome', flags: 'the artifact carries another name of ours' },
    // Whatever is ordered is bought.
    limits: { price: 'price', size: 'qty', tick: { always: priceStep }, wantsLow: () => true },
  },
})
