// Fixture counts by every filterable property.

import { competitionOf } from '#matching/read/games/competitions'
import type { Facets } from '#schemas/sports'
import { type IndexedFixture, statusOf } from './fixtureIndex.ts'

export function facetsOf(fixtures: readonly IndexedFixture[], now: number): Facets {
  const [sports, competitions, venues, statuses, types] = [tally(), tally(), tally(), tally(), tally()]
  for (const { head } of fixtures) {
    if (head.sport !== null) sports.add(head.sport)
    if (head.competitionId !== null) competitions.add(head.competitionId)
    for (const venue of head.venues) venues.add(venue)
    statuses.add(statusOf(head, now))
    for (const type of new Set(head.markets.map(({ marketType }) => marketType))) types.add(type)
  }
  return {
    sports: sports.rows((sport, count) => ({ sport, fixtures: count })),
    competitions: competitions.rows((id, count) => {
      const { name, sport } = competitionOf(id)!
      return { id, name, sport, fixtures: count }
    }),
    venues: venues.rows((venue, count) => ({ venue, fixtures: count })),
    statuses: statuses.rows((status, count) => ({
      status: status as Facets['statuses'][number]['status'],
      fixtures: count,
    })),
    marketTypes: types.rows((marketType, count) => ({ marketType, fixtures: count })),
  }
}

function tally() {
  const counts = new Map<string, number>()
  return {
    add(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    /** Most frequent first. */
    rows: <Row>(row: (name: string, count: number) => Row): Row[] =>
      [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, count]) => row(name, count)),
  }
}
