// The outcome of the live slice at the venue, which its execution determines.
import type { AlgorithmSliceOutcome } from '#schemas/algorithms'
import type { OpenSliceRow } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmDeps } from './ports.ts'
import { hasEnded, hasLeft } from './state.ts'
import type { Step } from './step.ts'

/** A venue may report the filled size after the end; a slice without one ends after this, and its algorithm with it. */
export const fillReportMs = 600_000

const ends = { filled: 'filled', failed: 'failed', canceled: 'canceled', expired: 'expired' } as const

/** `ended`: the slice has ended, which is stored. */
export async function settle(
  deps: AlgorithmDeps,
  step: Step,
  live: OpenSliceRow | null,
): Promise<'open' | 'ended' | 'lost'> {
  const status = live?.execution_status ?? null
  if (live === null || status === null || !hasLeft(status)) return 'open'
  const { store } = deps
  const { lease, at } = step
  if (!hasEnded(status)) {
    if (live.status === 'sent') return 'open'
    return (await store.recordSent(lease, { number: live.number, at })) ? 'open' : 'lost'
  }
  if (wasDiscarded(live)) return endAs(deps, step, live, { outcome: 'unsigned', filledSize: '0' })
  const filledSize = filledOf(live)
  const isLate = at.getTime() - live.execution_at!.getTime() >= fillReportMs
  if (filledSize === null && !isLate) return 'open'
  return endAs(deps, step, live, { outcome: ends[status as keyof typeof ends], filledSize })
}

/** Its owner discarded it before it was sent. */
const wasDiscarded = ({ execution_status, venue_ref, status }: OpenSliceRow): boolean =>
  execution_status === 'canceled' && venue_ref === null && status !== 'sent'

/** Null: not reported yet. */
function filledOf(live: OpenSliceRow): string | null {
  if (live.was_modified) return null
  switch (live.execution_status) {
    case 'filled':
      return live.matched_size ?? live.size
    case 'failed':
      return live.matched_size ?? '0'
    default:
      return live.matched_size
  }
}

async function endAs(
  { store, orders }: AlgorithmDeps,
  { row, lease, at }: Step,
  live: OpenSliceRow,
  { outcome, filledSize }: { outcome: AlgorithmSliceOutcome; filledSize: string | null },
): Promise<'ended' | 'lost'> {
  const averagePrice =
    filledSize === null || filledSize === '0' ? null : await orders.averagePrice(row.account_id, live.execution_id!)
  // Canceled by its owner or the venue. Another order in its place would not be wanted.
  const isForeign = outcome === 'canceled' && !live.takes && live.canceled_at === null
  const error = live.was_modified
    ? 'a slice was modified: what was filled is not known'
    : filledSize === null
      ? 'the venue did not report what was filled of a slice'
      : isForeign
        ? 'a slice was canceled, and not by the algorithm'
        : live.execution_error
  const ended = await store.endSlice(lease, {
    number: live.number,
    outcome,
    filledSize,
    averagePrice,
    error,
    endsAs: isForeign ? 'canceled' : null,
    at,
  })
  return ended ? 'ended' : 'lost'
}
