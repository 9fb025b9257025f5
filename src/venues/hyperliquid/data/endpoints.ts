// Hyperliquid's public reads, raw: every one is POST /info, told apart by `type`. There are no pages.
// Weights against 1,200 a minute and address: 2 for a book, 20 for anything else here.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import { Fault } from '#lib/fault'
import type { VenueContext } from '../../venue.ts'
import { info } from '../exec/info.ts'
import { HyperBook, HyperOutcomeMeta, HyperSettled, HyperSpotContexts, HyperTemplates, HyperTrades } from '../wire.ts'

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

export const unreadable = (detail: string): Fault =>
  new Fault('NETWORK_ERROR', 'hyperliquid gave an answer we cannot read', { exchange: 'hyperliquid', detail })
