// What SX Bet's public reads send, unchanged, order book v3. https://docs.sx.bet/api-reference; fields of markets and types:
// https://api.docs.sx.bet/#markets (order book v2, the same rows). Lists hold rows as `unknown`: one bad row is skipped and logged.
import { z } from 'zod'
import { row, StateWord, unreadableWord } from '../shared/data/row.ts'
import { hashForm } from './ids.ts'

const Hash = z.string().regex(hashForm)
/** Base units, or odds in 1e-20, as decimal text. */
const Units = z.string().regex(/^\d{1,40}$/)
/** Text and numbers we only pass on: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)
const Flag = z.boolean().nullish().catch(null)

const answer = <S extends z.ZodType>(data: S) => z.object({ status: z.literal('success'), data })

export const SxbetMarket = row(
  z.object({
    /** ACTIVE or INACTIVE. A reported one may still be ACTIVE (documented example). */
    status: StateWord,
    marketHash: Hash,
    outcomeOneName: z.string().min(1),
    outcomeTwoName: z.string().min(1),
    outcomeVoidName: Note,
    teamOneName: Note,
    teamTwoName: Note,
    /** See marketTypes.ts. */
    type: z.number().int().nullish(),
    /** Only for spreads and totals; side one's. */
    line: Count,
    /** Unix seconds at which the game starts; 0 means none. */
    gameTime: Count,
    /** The fixture. */
    sportXeventId: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .nullish(),
    liveEnabled: Flag,
    sportLabel: Note,
    sportId: Count,
    leagueId: Count,
    leagueLabel: Note,
    /** Absent when there is only one line. */
    mainLine: Flag,
    isQuarterLineMarket: Flag,
    group1: Note,
    group2: Note,
    /** Reported: 0 void, 1, 2. */
    outcome: z
      .union([z.literal(0), z.literal(1), z.literal(2), z.literal(unreadableWord)])
      .nullish()
      .catch(unreadableWord),
    /** Unix seconds. */
    reportedDate: Count,
    teamOneScore: Count,
    teamTwoScore: Count,
  }),
)
export type SxbetMarket = z.infer<typeof SxbetMarket>

export const SxbetMarketsPage = answer(z.object({ markets: z.array(z.unknown()), nextKey: Note }))
export const SxbetMarkets = answer(z.array(z.unknown()))

/** Makers' offers on one side, best first: their own implied probability, and the rest of their own stake. */
const Offer = z.object({ percentageOdds: Units, size: Units })
export const SxbetBook = z.object({
  marketHash: Hash,
  outcomeOne: z.array(Offer),
  outcomeTwo: z.array(Offer),
  /** Fixed-width digits: greater text is newer. */
  version: z.string(),
})
export type SxbetBook = z.infer<typeof SxbetBook>
export const SxbetSnapshot = answer(SxbetBook)

/** One bet of a taker, whatever number of offers it took. */
export const SxbetTrade = row(
  z.object({
    tradeId: z.string().min(1),
    marketHash: Hash,
    /** What the taker bet on. */
    isBettingOutcomeOne: z.boolean(),
    /** The taker's. */
    totalStake: Units,
    /** The taker's own implied probability. */
    weightedAverageOdds: Units,
    betTime: z.string(),
    /** MATCHED, LOCKED, SETTLED, FAILED, as far as known. */
    status: Note,
    isParlay: Flag,
  }),
)
export type SxbetTrade = z.infer<typeof SxbetTrade>
export const SxbetTradesPage = answer(z.object({ trades: z.array(z.unknown()), nextKey: Note }))

/** On the socket. */
export const SxbetStatus = z.object({ trade: SxbetTrade })

export const SxbetToken = answer(z.object({ token: z.string().min(1) }))

/** `{"error":"Bad Request","message":CODE or [text…],"statusCode":400}` */
export const SxbetRefusal = z.object({
  error: z.string(),
  message: z.unknown().optional(),
  statusCode: z.number().int(),
})
