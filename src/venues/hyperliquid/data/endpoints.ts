// Hyperliquid's public reads, raw: each is POST /info, distinguished by `type`. There are no pages.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import type { z } from 'zod'
import { read } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
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
import { costOf, weightOf } from './weights.ts'

const byRows: ReadonlySet<string> = new Set(['recentTrades', 'userFills'])

/** The venue answers null for the unknown: each shape says whether that can happen. */
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

/** Every outcome not yet settled, and the questions some of them belong to. */
export const getOutcomeMeta = (context: VenueContext) => info(context, { type: 'outcomeMeta' }, HyperOutcomeMeta)

/** Null for an outcome that is not settled, or never existed. */
export const getSettledOutcome = (context: VenueContext, outcome: number) =>
  info(context, { type: 'settledOutcome', outcome }, HyperSettled)

export const getTemplates = (context: VenueContext) => info(context, { type: 'outcomeTemplates' }, HyperTemplates)

/** Of every spot asset, including outcomes. */
export const getSpotContexts = async (context: VenueContext): Promise<unknown[]> =>
  (await info(context, { type: 'spotMetaAndAssetCtxs' }, HyperSpotContexts))[1]

/** Null when there is no such coin. */
export const getBook = (context: VenueContext, coin: string) => info(context, { type: 'l2Book', coin }, HyperBook)

/** Only recent ones; older ones are unavailable. Null when there is no such coin. */
export const getTrades = (context: VenueContext, coin: string) =>
  info(context, { type: 'recentTrades', coin }, HyperTrades)

/** An account's newest two thousand, newest first. Empty for an unknown account. */
export const getUserFills = (context: VenueContext, user: string) =>
  info(context, { type: 'userFills', user }, HyperUserFills)

/** Everything the address trades here, all at once; empty for an unknown address. */
export const getOpenOrders = (context: VenueContext, user: string) =>
  info(context, { type: 'frontendOpenOrders', user }, HyperOpenOrders)
