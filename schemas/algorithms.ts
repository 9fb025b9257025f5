// Execution algorithms: one order that is worked in slices over time. Prices in probability dollars, sizes in contracts or shares, decimal
// strings.
import { z } from 'zod'
import { FireMode } from './conditional.ts'
import { JsonObject } from './executions.ts'

/** At most this many algorithms of an account are `running` or `ending`. */
export const runningAlgorithmsMax = 50
export const signedSlicesMax = 100

/** Prices and sizes are worked with in millionths. */
const decimalPlaces = 6
const decimalPattern = new RegExp(`^\\d{1,9}(\\.\\d{1,${decimalPlaces}})?$`)

/** As text, or as a number that has the same digits. */
const Decimal = z
  .union([z.number(), z.string().max(40)])
  .refine((value) => decimalPattern.test(String(value)) && Number(value) > 0, {
    error: `must be a plain decimal above 0 with at most ${decimalPlaces} decimals`,
  })
const Probability = Decimal.refine((value) => Number(value) < 1, { error: 'must be below 1' })

const seconds = 1_000
const hours = 3_600_000
/** Of the whole algorithm. */
export const durationMaxMs = 7 * 24 * hours
const intervalMinMs = 1 * seconds
const PriceInterval = z.number().int().min(intervalMinMs).max(hours)

export const algorithmKinds = ['twap', 'iceberg', 'peg', 'passive_then_aggressive'] as const
export const AlgorithmKind = z.enum(algorithmKinds).meta({ id: 'AlgorithmKind' })
export type AlgorithmKind = z.infer<typeof AlgorithmKind>

/** What a caller chooses. */
export const AlgorithmParameters = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('twap'),
      slices: z.number().int().min(2).max(500),
      durationMs: z
        .number()
        .int()
        .min(2 * seconds)
        .max(durationMaxMs),
      style: z
        .enum(['take', 'rest'])
        .default('take')
        .describe('`take`: each slice is immediate-or-cancel; `rest`: it rests at the limit price until the next one'),
    }),
    z.strictObject({
      kind: z.literal('iceberg'),
      displaySize: Decimal.describe('of each slice'),
    }),
    z.strictObject({
      kind: z.literal('peg'),
      to: z.enum(['bid', 'ask']).describe('best price that is followed, without the algorithm’s own order'),
      intervalMs: PriceInterval.default(5 * seconds).describe('minimum time between two prices'),
      displaySize: Decimal.optional().describe('of each slice; absent: all that is left'),
    }),
    z.strictObject({
      kind: z.literal('passive_then_aggressive'),
      passiveMs: z
        .number()
        .int()
        .min(1 * seconds)
        .max(durationMaxMs)
        .describe('how long it rests at the best price of its own side before it takes'),
      intervalMs: PriceInterval.default(5 * seconds).describe('minimum time between two prices, and between two takes'),
    }),
  ])
  .meta({ id: 'AlgorithmParameters' })
export type AlgorithmParameters = z.infer<typeof AlgorithmParameters>

const SignedSlice = z.strictObject({
  /** An order of the account that is built and not sent. */
  executionId: z.uuid(),
  /** The body that its submit takes. */
  signedArtifact: JsonObject,
})
export type SignedSlice = z.infer<typeof SignedSlice>

export const AlgorithmBody = z
  .strictObject({
    venue: z.string().max(40),
    algorithm: AlgorithmParameters,
    build: JsonObject.optional().describe(
      'the venue’s build body without price, size, time in force and post-only; required unless slices are signed in advance',
    ),
    size: Decimal.describe('total'),
    limitPrice: Probability.describe('no slice is priced worse'),
    sizeStep: Decimal.optional().describe(
      'sizes of slices are multiples of it; absent: the last decimal place of size',
    ),
    minSliceSize: Decimal.optional().describe('no smaller slice is sent; absent: sizeStep'),
    postOnly: z.boolean().default(false).describe('of slices that rest'),
    mode: FireMode.default('client').describe(
      '`client`: each slice is offered on the order stream for signing. `hosted`: slices are sent without its owner',
    ),
    signWithinMs: z
      .number()
      .int()
      .min(5 * seconds)
      .max(540 * seconds)
      .default(60 * seconds)
      .describe('client mode: a slice that was not submitted by then is withdrawn, and one at a new price may follow'),
    cancel: JsonObject.optional().describe('the venue’s cancel body, where it takes fields'),
    startsAt: z.iso.datetime({ offset: true }).optional().describe('absent: now'),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe('required, except for twap, which has a duration'),
    signedSlices: z
      .array(SignedSlice)
      .min(1)
      .max(signedSlicesMax)
      .optional()
      .describe('hosted mode, for twap and iceberg: the signed slices in order, where submits take a signature'),
  })
  .meta({
    examples: [
      {
        venue: 'hyperliquid',
        algorithm: { kind: 'twap', slices: 12, durationMs: 3_600_000 },
        build: {
          outcome: '516',
          outcomeSide: 'YES',
          isBuy: true,
          owner: '0x14791697260E4c9A71f18484C9f997B308e59325',
        },
        size: '600',
        limitPrice: '0.42',
        sizeStep: '1',
      },
    ],
  })
export type AlgorithmBody = z.infer<typeof AlgorithmBody>

export const algorithmStatuses = ['running', 'ending', 'completed', 'canceled', 'expired', 'failed'] as const
/** `ending`: no new slice is sent, and the live one is being withdrawn. */
export const AlgorithmStatus = z.enum(algorithmStatuses).meta({ id: 'AlgorithmStatus' })
export type AlgorithmStatus = z.infer<typeof AlgorithmStatus>
export type AlgorithmEnd = Exclude<AlgorithmStatus, 'running' | 'ending'>

export const sliceStatuses = ['planned', 'decided', 'awaiting_signature', 'ready', 'sent', 'ended'] as const
export const AlgorithmSliceStatus = z.enum(sliceStatuses).meta({
  id: 'AlgorithmSliceStatus',
  description:
    '`planned`: signed in advance. `decided`: about to be built. `awaiting_signature`: built, its owner may submit it. `ready`: about to be sent from here. `sent`: at the venue, or its outcome is unknown',
})
export type AlgorithmSliceStatus = z.infer<typeof AlgorithmSliceStatus>

export const sliceOutcomes = ['filled', 'canceled', 'expired', 'failed', 'refused', 'unsigned', 'withdrawn'] as const
export const AlgorithmSliceOutcome = z.enum(sliceOutcomes).meta({
  id: 'AlgorithmSliceOutcome',
  description:
    '`refused`: it was not built or not sent, and `error` says why. `unsigned`: it was not submitted in time. `withdrawn`: it was not sent, and no longer wanted',
})
export type AlgorithmSliceOutcome = z.infer<typeof AlgorithmSliceOutcome>

export const waitReasons = [
  'not_started',
  'book_not_live',
  'price_beyond_limit',
  'no_price_to_follow',
  'next_interval',
  'min_interval',
  'slice_unsent',
  'awaiting_signature',
  'slice_open',
  'outcome_unknown',
  'fill_unknown',
  'cancel_awaiting_signature',
  'cancel_unconfirmed',
  'earlier_slice_open',
  'halted',
  'refused',
] as const
export const AlgorithmWait = z.enum(waitReasons).meta({
  id: 'AlgorithmWait',
  description:
    '`book_not_live`: nothing is decided on a book that is not proven. `outcome_unknown`: refresh or resolve the execution. `fill_unknown`: the venue has not reported what was filled. `earlier_slice_open`: the venue shows an ended slice as open again',
})
export type AlgorithmWait = z.infer<typeof AlgorithmWait>

export const algorithmEvents = [
  'created',
  'slice_offered',
  'slice_sent',
  'cancel_offered',
  'cancel_built',
  'slice_ended',
  'ending',
  'ended',
] as const
export type AlgorithmEvent = (typeof algorithmEvents)[number]

export const AlgorithmSlice = z
  .object({
    number: z.number().int(),
    status: AlgorithmSliceStatus,
    outcome: AlgorithmSliceOutcome.nullable().describe('null until it has ended'),
    price: z.string(),
    size: z.string(),
    takes: z.boolean().describe('immediate-or-cancel; otherwise it rests'),
    executionId: z.uuid().nullable(),
    signBy: z.iso
      .datetime()
      .nullable()
      .describe('while `awaiting_signature`: withdrawn if it was not submitted by then'),
    cancelExecutionId: z
      .uuid()
      .nullable()
      .describe('its cancel; of one that awaits a signature, its owner submits this execution too'),
    filledSize: z.string().nullable().describe('null: unknown'),
    error: z.string().nullable(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AlgorithmSlice' })
export type AlgorithmSlice = z.infer<typeof AlgorithmSlice>

export const ExecutionAlgorithm = z
  .object({
    id: z.uuid(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    side: z.enum(['buy', 'sell']),
    algorithm: AlgorithmParameters,
    mode: FireMode,
    size: z.string(),
    limitPrice: z.string(),
    sizeStep: z.string(),
    minSliceSize: z.string(),
    postOnly: z.boolean(),
    status: AlgorithmStatus,
    waitsFor: AlgorithmWait.nullable().describe('why nothing is sent now'),
    lastError: z.string().nullable(),
    filledSize: z.string().nullable().describe('of all slices; null: not known of one of them'),
    remainingSize: z.string().nullable(),
    averagePrice: z
      .string()
      .nullable()
      .describe('of the stored fills of all slices, before fees, to 9 places; null where not all of them are known'),
    benchmark: z.object({
      arrivalMid: z.string().nullable().describe('mid price when it was created; null: the book was not live'),
      intervalVwap: z
        .string()
        .nullable()
        .describe(
          'volume-weighted price of the recorded trades from its start to its end; only in reads of one algorithm; null: not known',
        ),
    }),
    sliceCount: z.number().int().describe('slices so far'),
    liveSlice: AlgorithmSlice.nullable(),
    startsAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    slices: z.array(AlgorithmSlice).optional().describe('reads of one algorithm: its newest slices, oldest first'),
  })
  .meta({ id: 'ExecutionAlgorithm' })
export type ExecutionAlgorithm = z.infer<typeof ExecutionAlgorithm>
