// What Limitless' public reads send about traders. Sources: the venue's own website (github.com/limitless-labs-group/Limitless-Exchange, 2025-05-17:
// holders and the leaderboard), third-party dashboards of 2026 (volumes, results). Lists hold rows as `unknown`.
import { z } from 'zod'

const Note = z.string().nullish().catch(null)
const Amount = z.union([z.number(), z.string()]).nullish().catch(null)

/** In addition to the fields of a trade. */
export const LimitlessTaker = z.object({
  profile: z.object({ account: z.string(), username: Note, displayName: Note }).nullish().catch(null),
})

const Side = z.object({ data: z.array(z.unknown()) }).nullish()
/** A side without holders may be left out. */
export const LimitlessHolders = z.object({ yes: Side, no: Side }).refine(({ yes, no }) => yes != null || no != null)
export const LimitlessHolder = z.object({
  user: z.string(),
  username: Note,
  /** Decimals; the base units are in other fields. */
  contractsFormatted: z.union([z.number(), z.string()]),
  valueUSDCFormatted: Amount,
})
export type LimitlessHolder = z.infer<typeof LimitlessHolder>

export const LimitlessLeaders = z.object({ data: z.array(z.unknown()) })
const Named = { account: Note, displayName: Note }
/** Older answers name the account on the row, newer ones under `user`. */
export const LimitlessLeader = z.object({
  ...Named,
  user: z.object(Named).nullish().catch(null),
  /** Whole dollars and their decimals. */
  totalVolume: Amount,
  volume: Amount,
})
export type LimitlessLeader = z.infer<typeof LimitlessLeader>

/** In dollars. */
export const LimitlessVolume = z.object({ data: z.union([z.number(), z.string()]) })
const Positions = z.array(z.unknown()).nullish()
export const LimitlessPositions = z
  .object({ amm: Positions, clob: Positions, group: Positions })
  .refine(({ amm, clob, group }) => [amm, clob, group].some((list) => list != null))
export const LimitlessResult = z.object({
  current: z
    .object({ realised: z.object({ usd: Amount }).nullish().catch(null) })
    .nullish()
    .catch(null),
})
