// Responses of Hyperliquid's reads, as the venue names them: only the fields we use. https://hyperliquid.gitbook.io/hyperliquid-docs
import { z } from 'zod'
import { row } from '../shared/data/row.ts'
import { WholeNumber } from '../shared/data/wholeNumber.ts'

/** Decimal strings throughout: `"0.00012"`, `"997.0"`. */
const Decimal = z.string()

/**
 * A row of `outcomeMeta`. Rows built from a template name it (`template:binaryPrice`) and carry its keywords in `description`.
 */
export const HyperOutcome = row(
  z.object({
    outcome: WholeNumber.pipe(z.number().min(0).max(9_999_999)),
    name: z.string(),
    /** With the keywords of a template it is the title; without it the name is. */
    description: z.string().nullish(),
    /** Side 0 first; the lane calls it YES. */
    sideSpecs: z.tuple([z.object({ name: z.string() }), z.object({ name: z.string() })]),
    quoteToken: z.string().nullish(),
    /** Observed 2026-09; absent on the venue's own recurring outcomes. */
    deployerFeeScale: Decimal.nullish(),
    /** Short name of the outcome's operator; absent on the venue's own. Observed 2026-09. */
    venue: z.string().nullish(),
    deployer: z.string().nullish(),
  }),
)
export type HyperOutcome = z.infer<typeof HyperOutcome>

export const HyperQuestion = row(
  z.object({
    question: WholeNumber.pipe(z.number().min(0)),
    name: z.string(),
    description: z.string().nullish(),
    fallbackOutcome: WholeNumber.nullish(),
    namedOutcomes: z.array(WholeNumber),
    settledNamedOutcomes: z.array(WholeNumber).nullish(),
  }),
)
export type HyperQuestion = z.infer<typeof HyperQuestion>

/** Rows are read one by one: a row of unknown shape does not affect the others. */
export const HyperOutcomeMeta = z.object({ outcomes: z.array(z.unknown()), questions: z.array(z.unknown()) })

/** Null: not settled, or never existed. */
export const HyperSettled = z
  .object({
    spec: HyperOutcome,
    /** Payout of a side 0 contract, `"0"` to `"1"`; side 1 pays the rest. */
    settleFraction: Decimal,
    details: z.string().nullish(),
    question: z
      .object({
        question: z.union([z.object({ active: WholeNumber }), z.object({ settled: WholeNumber })]),
        name: z.string(),
        description: z.string().nullish(),
      })
      .nullish(),
  })
  .nullable()
export type HyperSettled = NonNullable<z.infer<typeof HyperSettled>>

/** Names and descriptions contain `{keyword}` placeholders. */
export const HyperTemplate = row(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    /** The kinds are `dateTime`, `date`, and others that are shown unchanged. */
    keywords: z.array(z.tuple([z.string(), z.string()])),
  }),
)
export type HyperTemplate = z.infer<typeof HyperTemplate>
export const HyperTemplates = z.array(z.unknown())

/** Of one side of an outcome; the list contains every other spot asset too. */
export const HyperSpotContext = row(
  z.object({
    coin: z.string(),
    /** Quote units of the last 24 hours. */
    dayNtlVlm: Decimal.nullish(),
    markPx: Decimal.nullish(),
    midPx: Decimal.nullish(),
    circulatingSupply: Decimal.nullish(),
  }),
)
export type HyperSpotContext = z.infer<typeof HyperSpotContext>
export const HyperSpotContexts = z.tuple([z.unknown(), z.array(z.unknown())])

const HyperLevel = z.object({ px: Decimal, sz: Decimal })
/** Null: no such coin. At most 20 levels per side. */
export const HyperBook = z
  .object({
    coin: z.string(),
    /** Epoch ms. */
    time: WholeNumber,
    /** Bids, asks. */
    levels: z.tuple([z.array(HyperLevel), z.array(HyperLevel)]),
  })
  .nullable()
export type HyperBook = NonNullable<z.infer<typeof HyperBook>>

export const HyperTrade = row(
  z.object({
    coin: z.string(),
    /** The taker's side: `B` bought, `A` sold. */
    side: z.string(),
    px: Decimal,
    sz: Decimal,
    /** Epoch ms. */
    time: WholeNumber,
    tid: WholeNumber,
  }),
)
export type HyperTrade = z.infer<typeof HyperTrade>
/** In addition to the fields of a trade: buyer and seller. Observed 2026-07. */
export const HyperUsers = z.object({ users: z.tuple([z.string(), z.string()]) })
export const HyperTrades = z.array(z.unknown()).nullable()

/** `coin` alone says whether it is an outcome's. */
export const HyperCoinRow = z.object({ coin: z.string() })
/** A row of `frontendOpenOrders` that concerns an outcome. */
export const HyperOpenOrder = z.object({
  coin: z.string(),
  side: z.enum(['B', 'A']),
  limitPx: Decimal,
  /** The unfilled part of `origSz`. */
  sz: Decimal,
  origSz: Decimal,
  oid: WholeNumber.pipe(z.number().nonnegative()),
  /** Epoch ms. */
  timestamp: WholeNumber,
  /** `Limit`, and other words for orders waiting for a trigger. */
  orderType: z.string().nullish(),
  isTrigger: z.boolean().nullish(),
})
export type HyperOpenOrder = z.infer<typeof HyperOpenOrder>
export const HyperOpenOrders = z.array(z.unknown())

/** A frame of the socket; `data` by channel. A plain-text greeting precedes all others. */
export const HyperFrame = z.object({ channel: z.string(), data: z.unknown().optional() })
/** Of `subscriptionResponse`, which echoes the request; only for the coins' subscriptions. */
export const HyperSubscription = z.object({
  method: z.string(),
  subscription: z.object({ type: z.string(), coin: z.string() }),
})

/** Of an account, for whatever it trades: outcomes are recognized by their coins. */
export const HyperUserFill = z.object({
  coin: z.string(),
  /** `B` bought, `A` sold. */
  side: z.string(),
  px: Decimal,
  sz: Decimal,
  /** Epoch ms. */
  time: WholeNumber,
  tid: WholeNumber,
  /**
   * `Buy` or `Sell`; otherwise how shares changed without a trade: `Settlement`, `Split Outcome`, `Merge Outcome`, …
   */
  dir: z.string().nullish().catch(null),
  /** In the quote token; "0.0" when nothing was closed. */
  closedPnl: Decimal.nullish().catch(null),
  /** The quote token of the outcome. */
  feeToken: z.string().nullish().catch(null),
})
export type HyperUserFill = z.infer<typeof HyperUserFill>
export const HyperUserFills = z.array(z.unknown())

/** For whole accounts, perpetuals and spot together. Undocumented; read by several independent clients. */
export const HyperLeader = z.object({
  ethAddress: z.string(),
  displayName: z.string().nullish().catch(null),
  windowPerformances: z.array(z.tuple([z.string(), z.object({ pnl: Decimal, vlm: Decimal })])),
})
export type HyperLeader = z.infer<typeof HyperLeader>
