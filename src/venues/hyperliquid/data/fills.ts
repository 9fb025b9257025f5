// A wallet's fills in outcomes. This is the most expensive read here, so a recent result is reused for a profile and the pages of its
// trades.
import { Cache } from '#core/cache'
import type { HttpClient } from '#net/http'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isCoin } from '../ids.ts'
import { HyperUserFill } from '../wire.ts'
import { getUserFills } from './endpoints.ts'

const freshMs = 60_000
const walletsMax = 50
/** The most the venue returns per account. */
const fillsMax = 2_000

export interface OutcomeFills {
  /** Newest first. */
  fills: HyperUserFill[]
  /** All the account has. */
  whole: boolean
  /** When they were read, epoch ms, if for an earlier request. */
  keptSince?: number
}

/** Keyed by client: one per deployment. */
const caches = new WeakMap<HttpClient, Cache<OutcomeFills>>()

export async function outcomeFills(context: VenueContext, wallet: string): Promise<OutcomeFills> {
  const { http, clock } = context
  const wallets = caches.get(http) ?? new Cache<OutcomeFills>(walletsMax, { clock, forMs: freshMs })
  caches.set(http, wallets)
  const held = wallets.get(wallet)
  if (held !== undefined) return held
  const rows = await getUserFills(context, wallet)
  const read = readRows(context, rows, { what: 'fill', name: 'tid', read: shapeReader(HyperUserFill) })
  const found = {
    fills: read.filter(({ coin }) => isCoin(coin)).sort((a, b) => b.time - a.time || b.tid - a.tid),
    whole: rows.length < fillsMax,
  }
  wallets.set(wallet, { ...found, keptSince: clock.now() })
  return found
}
