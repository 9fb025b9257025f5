// A wallet's fills in outcomes. This is the most expensive read here, so a recent result is reused for a profile and the pages of its
// trades.
import type { HttpClient } from '#net/http'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { HyperUserFill } from '../wire.ts'
import { isCoin } from './coin.ts'
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

interface Kept extends OutcomeFills {
  keptSince: number
  /** On the monotonic clock. */
  readAt: number
}

/** Keyed by client: one per deployment. Oldest first. */
const caches = new WeakMap<HttpClient, Map<string, Kept>>()

export async function outcomeFills(context: VenueContext, wallet: string): Promise<OutcomeFills> {
  const { http, clock } = context
  const wallets = caches.get(http) ?? new Map<string, Kept>()
  caches.set(http, wallets)
  const held = wallets.get(wallet)
  if (held !== undefined && clock.monotonic() - held.readAt < freshMs) return held
  const rows = await getUserFills(context, wallet)
  const read = readRows(context, rows, { what: 'fill', name: 'tid', read: shapeReader(HyperUserFill) })
  const found = {
    fills: read.filter(({ coin }) => isCoin(coin)).sort((a, b) => b.time - a.time || b.tid - a.tid),
    whole: rows.length < fillsMax,
    keptSince: clock.now(),
    readAt: clock.monotonic(),
  }
  wallets.delete(wallet)
  wallets.set(wallet, found)
  const [oldest] = wallets.keys()
  if (wallets.size > walletsMax) wallets.delete(oldest!)
  return { fills: found.fills, whole: found.whole }
}
