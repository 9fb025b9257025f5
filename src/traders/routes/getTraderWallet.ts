// One wallet. Figures its venue reports are the venue's, whether our record knows it or not; the record has the score, and what the venue does not
// report. So no figure changes its source from one day to the next (docs/decisions/0045). A wallet that is not in the record is added.

import { Fault } from '#core/fault'
import { withTimeout } from '#core/withTimeout'
import { TraderScore, WalletStats } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { possibleStats } from '#venues/shared/data/sanityChecks'
import type { WalletProfile } from '#venues/traderData'
import {
  backfilled,
  fromRecord,
  fromVenue,
  informedness,
  noRecord,
  notScored,
  scoped,
  venueUnavailable,
} from '../disclaimers.ts'
import type { StoredScore, TraderVenue } from '../ports.ts'
import type { Traders, TradersRouteDeps } from '../traders.ts'
import { noSuchTrader, requireTraderData, supports, type TraderCapabilities, venueOf, walletOf } from '../venue.ts'
import { answer, metaSchema, venueErrors, WalletPath } from './shapes.ts'

/** A wallet with a score does not wait longer for the venue's figures; the next call has them. */
const figuresWithinMs = 3_000
const dayMs = 86_400_000

export const getTraderWallet = defineRoute({
  operationId: 'getTraderWallet',
  method: 'get',
  path: '/v1/traders/{venue}/wallets/{addr}',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'A wallet’s score and figures: those that the venue publishes are its own, the others come from our record',
  tag: 'traders',
  params: WalletPath,
  data: TraderScore,
  topLevelFields: metaSchema,
  errors: [...venueErrors, 'TRADER_NOT_FOUND', 'HISTORY_UNAVAILABLE'],
  async handle({ params, principal }, { traders }: TradersRouteDeps) {
    const venue = venueOf(traders.venues, params.venue, principal)
    const able = supports(venue, 'fetchWallet')
    const wallet = walletOf(venue, params.addr)
    const notes = [...able.notes, informedness, scoped]
    const kept = (await traders.record?.findWallet(venue.slug, wallet)) ?? null
    if (kept !== null) {
      const report = await reportOf(traders, venue, able, wallet)
      const row = joined(kept, able.walletFields ?? [], report)
      const sources = sourcesOf(able.walletFields ?? [], report, (await traders.record?.since()) ?? null, kept.asOf)
      return answer(row, { asOf: Date.parse(row.asOf), source: 'archive', notes: [...sources, ...notes] })
    }
    requireTraderData(venue, able)
    const startedAt = traders.clock.now()
    const { profile, readAt } = await readProfile(traders, venue, able, wallet)
    const isTakenUp = traders.record?.fillIn?.(venue.slug, wallet) ?? false
    const note = traders.record === null ? noRecord : isTakenUp ? backfilled : notScored
    return answer(filledIn({ venue: venue.slug, wallet }, profile, readAt, note), {
      asOf: readAt,
      source: 'venue-rest',
      cached: readAt < startedAt,
      notes,
    })
  },
})

interface VenueReport {
  profile: WalletProfile
  readAt: number
}
type WalletAble = TraderCapabilities<'fetchWallet'>

/** Throws TRADER_NOT_FOUND, which is never cached. */
const readProfile = (traders: Traders, venue: TraderVenue, able: WalletAble, wallet: string): Promise<VenueReport> =>
  traders.profiles.requestCached(venue, `wallet ${wallet}`, async (context) => {
    const readAt = traders.clock.now()
    const profile = await able.fetchWallet(context, wallet)
    if (profile === null) throw noSuchTrader(venue.slug)
    const asOf = profile.keptSince ?? readAt
    return { profile: { ...profile, stats: aged(possibleStats(profile.stats, asOf), asOf) }, readAt: asOf }
  })

/** Null: the venue cannot be queried, or does not answer. */
async function reportOf(
  traders: Traders,
  venue: TraderVenue,
  able: WalletAble,
  wallet: string,
): Promise<VenueReport | 'unknown' | null> {
  if ((able.missing?.(venue.context) ?? null) !== null) return null
  try {
    return await withTimeout(traders.clock, figuresWithinMs, readProfile(traders, venue, able, wallet))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'TRADER_NOT_FOUND') return 'unknown'
    traders.log.debug({ venue: venue.slug, err: error }, 'figures of a wallet could not be read')
    return null
  }
}

function joined(
  kept: StoredScore,
  reportedFields: readonly (keyof WalletStats)[],
  report: VenueReport | 'unknown' | null,
): TraderScore {
  const profile = report === null || report === 'unknown' ? null : report.profile
  const own = Object.fromEntries(withAge(reportedFields).map((name) => [name, profile?.stats[name] ?? null]))
  const stats = { ...kept.stats, ...own }
  return { ...kept, displayName: profile?.displayName ?? kept.displayName, stats, asOf: laterOf(kept.asOf, stats) }
}

/** A row's time is never before its last-seen time: the venue's figures may be newer than the count. */
const laterOf = (asOf: string, { lastSeen }: WalletStats): string =>
  lastSeen !== null && Date.parse(lastSeen) > Date.parse(asOf) ? new Date(lastSeen).toISOString() : asOf

/** An age has the same source as the time of the first trade. */
const withAge = (reportedFields: readonly (keyof WalletStats)[]): (keyof WalletStats)[] =>
  reportedFields.includes('firstSeen') ? [...reportedFields, 'walletAgeDays'] : [...reportedFields]

const aged = (stats: WalletStats, now: number): WalletStats =>
  stats.walletAgeDays !== null || stats.firstSeen === null
    ? stats
    : { ...stats, walletAgeDays: Math.max(0, Math.round(((now - Date.parse(stats.firstSeen)) / dayMs) * 100) / 100) }

/** The source of each figure. Deposits of chain wallets are unknown: that figure is left out. */
function sourcesOf(
  reportedFields: readonly (keyof WalletStats)[],
  report: VenueReport | 'unknown' | null,
  since: number | null,
  countedAt: string,
): string[] {
  const own = withAge(reportedFields)
  const others = WalletStats.keyof().options.filter((name) => !own.includes(name) && name !== 'depositFirstAt')
  const recorded = fromRecord(`category, ${others.join(', ')}`, since, countedAt)
  if (own.length === 0) return [recorded]
  return [
    report === null ? venueUnavailable(own) : report === 'unknown' ? venueKnowsNot(own) : fromVenue(own, report.readAt),
    recorded,
  ]
}

const venueKnowsNot = (figures: readonly string[]): string =>
  `${figures.join(', ')}: null, because they come from the venue, which does not know this wallet.`

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
