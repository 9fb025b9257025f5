// The Data API's responses about traders, version 2: only the fields we use. https://docs.polymarket.com/api-reference/data-api/overview
// Lists hold rows as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'

const Note = z.string().nullish().catch(null)
const Amount = z.union([z.number(), z.string()]).nullish().catch(null)

export const DataHolders = z.object({ token_id: z.string().min(1), holders: z.array(z.unknown()) })
export const DataHolder = z.object({
  proxy_wallet: z.string().min(1),
  amount: z.number().nonnegative(),
  name: Note,
  pseudonym: Note,
  /** USDC, requested with `include_pnl`. */
  current_value: Amount,
})

/** A row of the ranking. Its `volume` is in shares, both sides, never in dollars: it ranks and is not read. */
export const DataLeader = z.object({
  rank: z.union([z.string(), z.number()]),
  user_id: z.string().min(1),
  user_name: Note,
  pnl: Amount,
})

/** One wallet's leaderboard entry. Null for a wallet that the venue does not know. */
export const DataLeaderEntry = z.object({ data: DataLeader.omit({ rank: true }).nullable() })

/** `trades`: the number of markets traded. Null for a wallet that the venue does not know. */
export const DataUserStats = z.object({
  data: z.object({ trades: z.number().int().nonnegative().nullish().catch(null) }).nullable(),
})

export const DataUserVolume = z.object({ data: z.object({ volume_usdc: Amount }).nullable() })
