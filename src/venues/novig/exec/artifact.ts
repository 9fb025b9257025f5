// The artifact is the body of the request that places it; the token is obtained at submit. Stored JSON loses the order of members: `callOf`
// restores that of the venue's documentation.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { Call } from '../../shared/exec/apiKeyClient.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { heldOptions } from '../../shared/exec/orderOptions.ts'
import { isId } from '../ids.ts'
import { paths } from './wire.ts'

/** Probability with at most three digits, both ends excluded. */
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
  /** The other currency is play money. */
  currency: z.literal('CASH'),
  tif: z.enum(['GTC', 'FOK', 'IOC']),
  /** Eight characters for the trader's own use: our id of the order. */
  flags: z.string().regex(/^[0-9a-z]{8}$/),
})
export type OrderArtifact = z.infer<typeof OrderArtifact>

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact }

export const readArtifact = artifactReader('novig', OrderArtifact)

export function callOf({ outcomeId, price, qty, currency, tif, flags }: OrderArtifact): Call {
  return { method: 'POST', path: paths.place, text: JSON.stringify({ outcomeId, price, qty, currency, tif, flags }) }
}

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const { outcomeId, price, qty, flags, tif } = readArtifact(unsigned)
  const options = heldOptions({ timeInForce: timesOf[tif] })
  return { kind: 'order', outcomeId, flags, price: String(price), qty: String(qty), ...options }
}

export const timesOf = { GTC: 'good-til-cancel', FOK: 'fill-or-kill', IOC: 'immediate-or-cancel' } as const

export const checkBounds = boundsChecker('novig', boundsOf, {
  order: {
    otherwise: 'the artifact is not an order',
    same: { outcomeId: 'the artifact is for another outcome', flags: 'the artifact has other flags' },
    // Every order is a purchase.
    limits: { price: 'price', size: 'qty', tick: { always: priceStep }, wantsLow: () => true },
  },
})
