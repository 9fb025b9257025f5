// What Predict.fun sends about traders: matches over REST, points and profiles from the site's own undocumented GraphQL.
import { z } from 'zod'

const Note = z.string().nullish().catch(null)

const Party = z.object({
  signer: z.string(),
  quoteType: Note,
  /** Wei; a maker fills at its own price. */
  price: Note,
  outcome: z.object({ indexSet: z.number().int() }),
})
/** In addition to the fields of a match. */
export const PredictParties = z.object({
  market: z.object({ id: z.union([z.number(), z.string()]).transform(String) }),
  taker: Party,
  makers: z.array(Party).catch([]),
})
export type PredictParties = z.infer<typeof PredictParties>

const answer = <S extends z.ZodType>(data: S) => z.object({ data, errors: z.array(z.unknown()).nullish() })
const Named = { name: Note, address: z.string() }

export const PredictLeaders = answer(
  z.object({ leaderboard: z.object({ edges: z.array(z.object({ node: z.unknown() })) }) }),
)
/** By points. */
export const PredictLeader = z.object({ rank: z.number().int().min(1), account: z.object(Named) })

export const PredictAccount = answer(
  z.object({
    account: z
      .object({
        name: Note,
        statistics: z
          .object({
            volumeUsd: z.union([z.number(), z.string()]).nullish().catch(null),
            marketsCount: z.number().int().nonnegative().nullish().catch(null),
          })
          .nullish()
          .catch(null),
      })
      .nullable(),
  }),
)
