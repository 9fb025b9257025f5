// Whether an answer is about the requested order. If not, it is discarded: it neither accepts nor refuses our order, and a read counts as
// not having found it.
import { compareDecimals, readDecimal } from '#core/decimal'
import type { Observation, OrderComparison, Prepared, RelayOutcome } from '../../lane.ts'
import { nothing } from './orderSnapshot.ts'

/** The contradiction found in the answer; null: it contradicts nothing that we know. */
export function contradicts(about: OrderComparison): string | null {
  const found = Object.entries(about).find(
    ([, [reported, ours]]) => reported != null && ours != null && !isSame(reported, ours),
  )
  return found === undefined ? null : found[0]
}

function isSame(reported: string | number, ours: string | number): boolean {
  if (String(reported).toLowerCase() === String(ours).toLowerCase()) return true
  const [a, b] = [readDecimal(reported), readDecimal(ours)]
  return a !== null && b !== null && compareDecimals(a, b) === 0
}

export function isOwnOrder(outcome: RelayOutcome, { venueRef }: Pick<Prepared, 'venueRef'>): RelayOutcome {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'rejected') return outcome
  const reported = outcome.kind === 'accepted' ? outcome.venueRef : null
  const what = contradicts({ ...outcome.about, 'venue order id': [reported, venueRef] })
  if (what === null) return outcome
  const text = `${isAnother}: its ${what} is not ours`
  return { kind: 'unknown', cause: new Error(text), text }
}

/** `venueRef`: the stored one. */
export function ownOrderObservation(read: Observation, venueRef: string | null): Observation {
  const what = contradicts({ ...read.about, 'venue order id': [read.venueRef, venueRef] })
  return what === null ? read : nothing(venueRef, `${isAnother}: its ${what} is not ours`)
}

const isAnother = 'the answer is about another order'
