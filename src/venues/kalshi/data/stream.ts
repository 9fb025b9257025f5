// The live feed: address, signature and limits of the socket. session.ts interprets its frames.
import type { VenueSlug } from '#schemas/venues'
import type { VenueStream } from '../../venue.ts'
import { signedHeaders } from './auth.ts'
import { KalshiSession } from './session.ts'

/**
 * Books per socket. The venue states no limit and allows 200 connections per user; it ends subscriptions whose buffer overflows (error 25),
 * and one gap makes every book of the socket wait for a snapshot. So: many, but not all on one.
 */
export const booksPerSocket = 250
/** Control pings come every 10 s and are no data; a watched socket gets tickers, trades or deltas of some market well within this. */
export const silenceMs = 15_000

export const streamOf = (venue: VenueSlug): VenueStream => ({
  connect(context) {
    const url = context.urls.WS
    if (url === undefined || context.credentials === null) return null
    const headers = signedHeaders(context, 'GET', new URL(url).pathname)
    return headers === null ? null : { url, headers }
  },
  booksPerSocket,
  silenceMs,
  stalenessMaxMs: 15_000,
  heartbeat: null,
  resyncInBand: true,
  firehose: false,
  open: (feed) => new KalshiSession(feed, { venue, yesPrice: true }),
})

export const stream = streamOf('kalshi')
