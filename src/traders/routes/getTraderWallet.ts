// One wallet: its score and its figures off our record; a wallet that is not in it, as the venue tells of it now, and it is taken up.
import { defineRoute } from '#http/defineRoute'
import { TraderScore } from '#schemas/traders'
import type { WalletProfile } from '#venues/traders'
import { informational, noRecord, notScored, scoped, takenUp } from '../notes.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { ableTo, noSuchTrader, requireReadable, venueOf, walletOf } from '../venue.ts'
import { answer, venueErrors, WalletPath } from './shapes.ts'

export const getTraderWallet = defineRoute({
  operationId: 'getTraderWallet',
  method: 'get',
  path: '/v1/traders/{venue}/wallets/{addr}',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'A wallet’s score and figures; one that is not scored has the venue’s own figures, and a note',
  tag: 'traders',
  params: WalletPath,
  data: TraderScore,
  errors: [...venueErrors, 'TRADER_NOT_FOUND', 'HISTORY_UNAVAILABLE'],
  async handle({ params, principal }, { traders }: TradersRouteDeps) {
    const venue = venueOf(traders.venues, params.venue, principal)
    const able = ableTo(venue, 'fetchWallet')
    const wallet = walletOf(venue, params.addr)
    const notes = [...able.notes, informational, scoped]
    const kept = (await traders.record?.findWallet(venue.slug, wallet)) ?? null
    if (kept !== null) return answer(kept, { asOf: Date.parse(kept.asOf), source: 'archive', notes })
    requireReadable(venue, able)
    const profile = await traders.reads.ask(venue, `wallet ${wallet}`, (context) => able.fetchWallet(context, wallet))
    if (profile === null) throw noSuchTrader(venue.slug)
    const isTakenUp = traders.record?.fillIn?.(venue.slug, wallet) ?? false
    const { keptSince, ...told } = profile
    const asOf = keptSince ?? traders.clock.now()
    const note = traders.record === null ? noRecord : isTakenUp ? takenUp : notScored
    return answer(filledIn({ venue: venue.slug, wallet }, told, asOf, note), {
      asOf,
      source: 'venue-rest',
      cached: keptSince !== undefined,
      notes,
    })
  },
})

const filledIn = (
  who: { venue: string; wallet: string },
  { displayName, stats }: WalletProfile,
  asOf: number,
  note: string,
): TraderScore => ({
  ...who,
  displayName,
  score: null,
  scoreVersion: null,
  factors: null,
  category: null,
  stats,
  refreshedAt: null,
  refreshState: 'live',
  asOf: new Date(asOf).toISOString(),
  provenance: { source: 'venue-rest' },
  note,
})
