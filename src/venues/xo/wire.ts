// What XO's public reads send. All are undocumented: these are the fields that several independent clients of 2026 read. Lists hold rows as
// `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { isToken } from './ids.ts'

const Figure = z.union([z.string(), z.number()]).nullish()
const Id = z.union([z.string().min(1), z.int()]).transform(String)

// Fields we only pass on: a different form counts as unknown and does not cost the row.
const Note = z.string().nullish().catch(null)
const Amount = Figure.catch(null)

const XoOutcome = z.object({
  id: Id,
  /** List rows may omit it: then the market is read individually. */
  outcomeTokenId: Id.refine(isToken, 'must be a token').nullish(),
  /** Both null on up/down markets, which are distinguished by position: the first is up. */
  title: Note,
  name: Note,
  /** An integer with 18 decimals. */
  price: Amount,
})
export type XoOutcome = z.infer<typeof XoOutcome>

export const XoMarket = row(
  z.object({
    id: Id,
    slug: Note,
    title: z.string(),
    description: Note,
    /** ACTIVE, PENDING, UPDATE_REQUIRED, CANCELLED, RESOLVED. */
    status: StateWord,
    /** BINARY, MULTIPLE. */
    type: Note,
    startsAt: Note,
    expiresAt: Note,
    resolvedAt: Note,
    outcomes: z.array(XoOutcome).min(2),
    /** Of all time. */
    totalVolumeInUSD: Amount,
    /** One of the two, once it is resolved. */
    winningOutcomeId: Id.nullish().catch(null),
    winningOutcome: z.object({ id: Id }).nullish().catch(null),
  }),
)
export type XoMarket = z.infer<typeof XoMarket>

export const XoMarketsPage = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ hasNextPage: z.boolean() }),
})
/** The row itself, or one in an envelope: clients accept both. */
export const XoMarketBody = z.record(z.string(), z.unknown())

const Level = z.union([
  z.object({ price: Figure, size: Figure }).transform(({ price, size }) => [price, size] as const),
  z
    .tuple([Figure, Figure])
    .rest(z.unknown())
    .transform(([price, size]) => [price, size] as const),
])
/** In no guaranteed order. */
export const XoBook = z.object({ bids: z.array(Level), asks: z.array(Level) })
export type XoBook = z.infer<typeof XoBook>

/** A frame of the socket: the whole book of a token. */
export const XoBookEvent = XoBook.extend({ event_type: z.literal('book'), asset_id: Id })

/** An event by its slug, as the site's pages read it (a client of 2026): its markets. */
export const XoEvent = z.object({
  data: z.object({ id: Id, markets: z.array(z.object({ market: z.object({ id: Id }) })) }),
})

export const XoActivity = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ hasNextPage: z.boolean().nullish() }).nullish().catch(null),
})
export const XoActivityRow = z.object({
  id: Id,
  transactionHash: Note,
  executedAt: Note,
  createdAt: Note,
  /** USER_TRADE and others. */
  activityType: z.string(),
  /** BUY, SELL. */
  positionType: Note,
  outcome: z.object({ title: Note }).nullish().catch(null),
  /** Millionths. */
  priceAtExecution: Amount,
  volumeInUSD: Amount,
  user: z.object({ username: Note }).nullish().catch(null),
})
export type XoActivityRow = z.infer<typeof XoActivityRow>
