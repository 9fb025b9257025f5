// Fixtures ordered by kickoff, and which of them a query selects. Pure.
import type { FixtureStatus } from '#schemas/sports'
import type { Descriptor, FixtureHead } from './records.ts'

export interface IndexedFixture {
  head: FixtureHead
  /** When the engine wrote it, epoch ms. */
  builtAt: number
  /** Kickoff, or the UTC midnight of a day without one. */
  sortAt: number
}

export interface FixtureFilter {
  sport?: string | undefined
  competition?: string | undefined
  team?: string | undefined
  venue?: string | undefined
  statuses?: readonly FixtureStatus[] | undefined
  /** Both inclusive, epoch ms. A fixture without a time of day is compared by its day with the UTC days of the two. */
  from: number
  to: number
  /** Only fixtures with this bet, and this line if one is named. */
  block?: { marketType: string; period: string; slot: string; line: number | undefined } | undefined
}

/** The row after which a page begins. */
export interface FixturePosition {
  sortAt: number
  fixtureId: string
}

const dayMs = 86_400_000
const dayStart = (at: number): number => Math.floor(at / dayMs) * dayMs

/** Up to this many changes are inserted one by one; with more the whole is sorted. */
const onesMax = 200

export class FixtureIndex {
  private readonly byId = new Map<string, IndexedFixture>()
  private sorted: IndexedFixture[] = []

  get size(): number {
    return this.byId.size
  }

  get(fixtureId: string): IndexedFixture | undefined {
    return this.byId.get(fixtureId)
  }

  /** A null head: deleted. */
  apply(changes: readonly { fixtureId: string; head: FixtureHead | null; builtAt: number }[]): void {
    const isWhole = changes.length > onesMax
    for (const { fixtureId, head, builtAt } of changes) {
      const before = this.byId.get(fixtureId)
      if (before !== undefined && !isWhole) this.sorted.splice(this.placeOf(before), 1)
      if (head === null) {
        this.byId.delete(fixtureId)
        continue
      }
      const sortAt = head.kickoffAt ?? Date.parse(`${head.eventDate}T00:00:00Z`)
      const fixture = { head, builtAt, sortAt }
      this.byId.set(fixtureId, fixture)
      if (!isWhole) this.sorted.splice(this.placeOf(fixture), 0, fixture)
    }
    if (isWhole)
      this.sorted = [...this.byId.values()].sort(
        (a, b) => a.sortAt - b.sortAt || (a.head.fixtureId < b.head.fixtureId ? -1 : 1),
      )
  }

  /** Up to `limit` fixtures in order, after a position. `now`, epoch ms, decides which have begun. */
  find(filter: FixtureFilter, now: number, limit: number, after: FixturePosition | null = null): IndexedFixture[] {
    const first = dayStart(filter.from)
    const found: IndexedFixture[] = []
    let at = firstAt(this.sorted, (each) => each.sortAt >= first && (after === null || isBehind(each, after)))
    for (; at < this.sorted.length && found.length < limit; at++) {
      const fixture = this.sorted[at]!
      if (fixture.sortAt > filter.to) break
      if (fits(fixture, filter, now)) found.push(fixture)
    }
    return found
  }

  private placeOf({ sortAt, head: { fixtureId } }: IndexedFixture): number {
    return firstAt(
      this.sorted,
      (each) => !isBehind({ sortAt, head: { fixtureId } }, { sortAt: each.sortAt, fixtureId: each.head.fixtureId }),
    )
  }
}

const isBehind = ({ sortAt, head }: { sortAt: number; head: { fixtureId: string } }, after: FixturePosition): boolean =>
  sortAt > after.sortAt || (sortAt === after.sortAt && head.fixtureId > after.fixtureId)

/** Index of the first that satisfies the predicate, if all after it do, too. */
function firstAt(all: readonly IndexedFixture[], isSo: (each: IndexedFixture) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(all[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

function fits({ head, sortAt }: IndexedFixture, filter: FixtureFilter, now: number): boolean {
  const { sport, competition, team, venue, statuses, from, block } = filter
  return (
    // A day without a time begins with that of `from`; it ends with that of `to` because it is sorted by its midnight.
    sortAt >= (head.kickoffAt === null ? dayStart(from) : from) &&
    (sport === undefined || head.sport === sport) &&
    (competition === undefined || head.competitionId === competition) &&
    (team === undefined || head.teams.some(({ id }) => id === team)) &&
    (venue === undefined || head.venues.includes(venue)) &&
    (block === undefined || head.markets.some((market) => isBlock(market, block))) &&
    (statuses === undefined || statuses.includes(statusOf(head, now)))
  )
}

const isBlock = (market: Descriptor, block: NonNullable<FixtureFilter['block']>): boolean =>
  market.marketType === block.marketType &&
  market.period === block.period &&
  market.slot === block.slot &&
  (block.line === undefined || market.lines.includes(block.line))

/** A game reported as live may have begun at most this much before its time: anything called live long before is not the game. */
const earlyMs = 3_600_000

/**
 * `final`: the keyed markets are closed. A game that no venue reports as live counts as live from its kickoff on, while its markets
 * trade.
 */
export function statusOf({ said: venueStatus, open, kickoffAt }: FixtureHead, now: number): FixtureStatus {
  if (venueStatus === 'cancelled' || (venueStatus === 'postponed' && open)) return venueStatus
  if (!open) return 'final'
  if (venueStatus === 'live') return kickoffAt === null || now >= kickoffAt - earlyMs ? 'live' : 'scheduled'
  return kickoffAt !== null && now >= kickoffAt ? 'live' : 'scheduled'
}
