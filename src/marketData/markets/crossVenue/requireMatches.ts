// The matcher's answer, or the refusal when this deployment has none.
import { Fault } from '#core/fault'
import type { Matches } from '#matching/matches'
import type { MarketsPorts } from '../ports.ts'

export function matchesOf({ matches }: MarketsPorts): Matches {
  if (matches === null) throw new Fault('MATCHES_UNAVAILABLE', 'this deployment does not match markets')
  return matches
}
