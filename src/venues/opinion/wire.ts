// What Opinion's public reads send. https://docs.opinion.trade/developer-guide/opinion-open-api (market, token), types of @opinion-labs/opinion-api
// 0.3.1
// and recorded answers. Lists hold rows as `unknown`: one bad row is skipped and logged, and the rest of the page is kept.
import { z } from 'zod'
import { row } from '../shared/data/row.ts'
import { WholeNumber } from '../shared/data/wholeNumber.ts'

const Figure = z.union([z.string(), z.number()]).transform(String)

/** Text and figures we only pass on: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Count = z.number().nullish().catch(null)

/** A market, or the head of a categorical one. Heads have no tokens, no outcome labels and no condition. */
export const OpinionMarket = row(
  z.object({
    marketId: WholeNumber.pipe(z.number().positive()),
    marketTitle: z.string(),
    /** 0 binary, 1 categorical. Absent on children. */
    marketType: WholeNumber.nullish().catch(null),
    /** 1 Created, 2 Activated, 3 Resolving, 4 Resolved, 5 Failed, 6 Deleted. */
    status: WholeNumber.nullish(),
    statusEnum: Note,
    slug: Note,
    rules: Note,
    chainId: Note,
    /** Hex without 0x. */
    conditionId: Note,
    questionId: Note,
    /** Address of the payment token. */
    quoteToken: Note,
    yesLabel: Note,
    noLabel: Note,
    yesTokenId: Note,
    noTokenId: Note,
    /** Of the winning side, empty before. */
    resultTokenId: Note,
    /** In units of the quote token. Children have no daily and weekly ones. */
    volume: Figure.nullish().catch(null),
    volume24h: Figure.nullish().catch(null),
    volume7d: Figure.nullish().catch(null),
    /** Seconds, 0 for none. */
    createdAt: Count,
    cutoffAt: Count,
    resolvedAt: Count,
    labels: z.array(z.string()).nullish().catch(null),
    labelIds: z.array(z.number()).nullish().catch(null),
    coverUrl: Note,
    thumbnailUrl: Note,
    rebate: z.object({ maker: z.number().nullish() }).nullish().catch(null),
    incentiveFactor: z.unknown().optional(),
    collection: z.unknown().optional(),
    isResolvableByAI: z.boolean().nullish().catch(null),
    childMarkets: z.array(z.unknown()).nullish(),
  }),
  { essential: ['childMarkets'] },
)
export type OpinionMarket = z.infer<typeof OpinionMarket>

/** Refusals come with status 200 too: only a zero is an answer. Some documentation pages say `code` for `errno`. */
export const answer = <S extends z.ZodType>(result: S) =>
  z.union([z.object({ errno: z.literal(0) }), z.object({ code: z.literal(0) })]).and(z.object({ result }))

export const OpinionMarketsPage = answer(
  z.object({ total: z.number().int().nonnegative().nullish(), list: z.array(z.unknown()) }),
)
export const OpinionMarketDetail = answer(z.object({ data: OpinionMarket }))

const Level = z.object({ price: Figure, size: Figure })
/** https://docs.opinion.trade/developer-guide/opinion-open-api/token. `market` is the condition. */
export const OpinionBookAnswer = answer(
  z.object({
    tokenId: z.string(),
    market: Note,
    timestamp: Count,
    bids: z.array(Level),
    asks: z.array(Level),
  }),
)
export type OpinionBook = z.infer<typeof OpinionBookAnswer>['result']

export const OpinionRefusal = z.object({
  errno: z.number().nullish(),
  code: z.number().nullish(),
  errmsg: z.string().nullish(),
  msg: z.string().nullish(),
  result: z.unknown().optional(),
})

/** Data names its kind; anything else is an acknowledgement or an echo. */
export const OpinionFrame = z.object({ msgType: z.string().nullish() })

/** The new size of one level of one token's book, 0 when it is gone. https://docs.opinion.trade/developer-guide/opinion-websocket/market-channels */
export const OpinionDepthChange = z.object({
  marketId: WholeNumber.pipe(z.number().positive()),
  tokenId: z.string(),
  side: z.enum(['bids', 'asks']),
  price: Figure,
  size: Figure,
})
export type OpinionDepthChange = z.infer<typeof OpinionDepthChange>
