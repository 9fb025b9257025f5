// Finds one fixture, or reports why there is none.
import { Fault } from '#core/fault'
import type { IndexedFixture } from './fixtureIndex.ts'
import type { FixtureSnapshot } from './ports.ts'

export function requireFixture({ index }: FixtureSnapshot, fixtureId: string): IndexedFixture {
  const fixture = index.get(fixtureId)
  if (fixture !== undefined) return fixture
  throw new Fault('SPORTS_FIXTURE_NOT_FOUND', 'no such fixture')
}
