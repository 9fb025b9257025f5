// Hyperliquid's public reads, raw: every one is POST /info, told apart by `type`. There are no pages.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import type { z } from 'zod'
import { read } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venue.ts'
import { costOf, weightOf } from '../weights.ts'
import {
  HyperBook,
  HyperOpenOrders,
  HyperOutcomeMeta,
  HyperSettled,
  HyperSpotContexts,
  HyperTemplates,
  HyperTrades,
  HyperUserFills,
} from '../wire.ts'

const byRows: ReadonlySet<string> = new Set(['recentTrades', 'userFills'])

/** What the venue does not know it answers with null: each shape says whether that can be. */
const info = <S extends z.ZodType>(context: VenueContext, send: { type: string; [name: string]: unknown }, body: S) =>
  read(context, {
    method: 'POST',
    path: '/info',
    what: Object.values(send).join(' '),
    send,
    weight: weightOf(send.type),
    ...(byRows.has(send.type) ? { costOf } : {}),
    isUnknown: () => false,
    body,
  }) as Promise<z.output<S>>

/** Every outcome not yet settled, and the questions that some of them answer. */
export const getOutcomeMeta = (context: VenueContext) => info(context, { type: 'outcomeMeta' }, HyperOutcomeMeta)

/** Null for an outcome that is not settled, or that never was. */
export const getSettledOutcome = (context: VenueContext, outcome: number) =>
  info(context, { type: 'settledOutcome', outcome }, HyperSettled)

export const getTemplates = (context: VenueContext) => info(context, { type: 'outcomeTemplates' }, HyperTemplates)

/** Of every spot asset, outcomes among them. */
export const getSpotContexts = async (context: VenueContext): Promise<unknown[]> =>
  (await info(context, { type: 'spotMetaAndAssetCtxs' }, HyperSpotContexts))[1]

/** Null when there is no such coin. */
export const getBook = (context: VenueContext, coin: string) => info(context, { type: 'l2Book', coin }, HyperBook)

/** Recent ones only; there is no way further back. Null when there is no such coin. */
export const getTrades = (context: VenueContext, coin: string) =>
  info(context, { type: 'recentTrades', coin }, HyperTrades)

/** The newest two thousand of an account, newest first. Empty for one that nobody knows. */
export const getUserFills = (context: VenueContext, user: string) =>
  info(context, { type: 'userFills', user }, HyperUserFills)

/** Of everything that the address trades here, all at once; none of an address that the venue does not know. */
export const getOpenOrders = (context: VenueContext, user: string) =>
  info(context, { type: 'frontendOpenOrders', user }, HyperOpenOrders)
