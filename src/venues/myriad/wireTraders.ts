// What Myriad's public reads send about traders. https://docs.myriad.markets/builders (API reference). List rows are read one by one.
import { z } from 'zod'

const Figure = z.union([z.string(), z.number()]).transform(String)

/** In addition to the fields of a pool's action. */
export const MyriadActor = z.object({ user: z.string() })
/** Of a wallet: names the market, numbered separately on each network. */
export const MyriadOwnAction = z.object({ networkId: Figure, marketId: Figure })

export const MyriadTotal = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ total: z.number().int().nonnegative(), hasNext: z.boolean().nullish() }),
})

/** By outcome; some answers are wrapped in a page envelope. */
export const MyriadHolders = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
])
export const MyriadOutcomeHolders = z.object({ outcomeId: Figure, holders: z.array(z.unknown()) })
export const MyriadHolder = z.object({ user: z.string(), shares: Figure })
