// From what is stored and a live book to what the state machines are given.
import type { AlgorithmParameters } from '#schemas/algorithms'
import type { ExecutionStatus } from '#schemas/executions'
import type { AlgorithmRow, OpenSliceRow } from '#storage/postgres/algorithms/algorithmRow'
import type { StoredProgress } from '#storage/postgres/algorithms/progress'
import type {
  AlgorithmPlan,
  AlgorithmProgress,
  BookLevel,
  KindParameters,
  LiveSlice,
  MarketView,
} from './machine/types.ts'
import type { AlgorithmBook, AlgorithmBookLevel, LaneTraits } from './ports.ts'
import { unitsAbove, unitsOf, unitsOfNumber } from './units.ts'

export function planOf(
  row: AlgorithmRow,
  { takesAtOnce, showsOwnOrders }: Pick<LaneTraits, 'takesAtOnce' | 'showsOwnOrders'>,
): AlgorithmPlan {
  return {
    parameters: parametersOf(row.parameters),
    side: row.side,
    size: unitsOf(row.size),
    limitPrice: unitsOf(row.limit_price),
    sizeStep: unitsOf(row.size_step),
    minSliceSize: unitsOf(row.min_slice_size),
    postOnly: row.post_only,
    takesAtOnce,
    startsAt: row.starts_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    showsOwnOrders,
  }
}

function parametersOf(given: AlgorithmParameters): KindParameters {
  switch (given.kind) {
    case 'iceberg':
      return { ...given, displaySize: unitsOf(String(given.displaySize)) }
    case 'peg':
      return { ...given, displaySize: given.displaySize === undefined ? null : unitsOf(String(given.displaySize)) }
    default:
      return given
  }
}

export function progressOf(
  row: AlgorithmRow,
  stored: StoredProgress,
  traits: Pick<LaneTraits, 'needsNoSignature'>,
): AlgorithmProgress {
  const live = liveRowOf(stored)
  const planned = stored.open.filter(({ status }) => status === 'planned')
  return {
    filled: unitsAbove(stored.filled),
    live: live === null ? null : liveOf(live, sendsItself(row, traits)),
    last: stored.last === null ? null : { stage: stored.last.stage, decidedAt: stored.last.decided_at.getTime() },
    count: stored.count,
    planned: row.is_signed
      ? planned.map(({ number, price, size }) => ({ number, price: unitsOf(price), size: unitsOf(size) }))
      : null,
    failures: row.failures,
    unsigned: row.unsigned_count,
    retryAt: retryAtOf(row, stored),
    endsAs: row.ends_as ?? (stored.is_unknown ? 'failed' : null),
    hasReopened: stored.is_reopened,
  }
}

/** Orders and cancels leave without their owner. */
export const sendsItself = (
  { mode }: Pick<AlgorithmRow, 'mode'>,
  { needsNoSignature }: Pick<LaneTraits, 'needsNoSignature'>,
): boolean => mode === 'hosted' && needsNoSignature

const refusalPause = { baseMs: 1_000, capMs: 30_000 }

/** Slices that fail in a row are further and further apart. */
const retryAtOf = ({ failures }: AlgorithmRow, { last }: StoredProgress): number | null =>
  failures === 0 || last === null
    ? null
    : last.ended_at.getTime() + Math.min(refusalPause.capMs, refusalPause.baseMs * 2 ** (failures - 1))

export const liveRowOf = ({ open }: Pick<StoredProgress, 'open'>): OpenSliceRow | null =>
  open.find(({ status }) => status !== 'planned') ?? null

/** Its execution left: it is at the venue, or was. */
export const hasLeft = (status: ExecutionStatus | null): boolean =>
  status !== null && status !== 'built' && status !== 'signed'

export const hasEnded = (status: ExecutionStatus | null): boolean =>
  status === 'filled' || status === 'failed' || status === 'canceled' || status === 'expired'

function liveOf(row: OpenSliceRow, isUnattended: boolean): LiveSlice {
  const { execution_status: status } = row
  return {
    number: row.number,
    price: unitsOf(row.price),
    size: unitsOf(row.size),
    takes: row.takes,
    stage: row.stage,
    decidedAt: row.decided_at.getTime(),
    state: hasLeft(status) ? 'sent' : stateOf(row),
    filled: row.matched_size === null ? 0 : unitsAbove(row.matched_size),
    signBy: row.sign_by?.getTime() ?? null,
    cancel: cancelOf(row, isUnattended),
    isOutcomeUnknown: status === 'submitted',
    isFillUnknown: hasEnded(status),
  }
}

function stateOf({ status }: OpenSliceRow): LiveSlice['state'] {
  if (status === 'awaiting_signature') return 'offered'
  return status === 'ready' ? 'ready' : 'decided'
}

/** A cancel that the venue refused is built again, and one that is sent from here is sent again. */
function cancelOf({ cancel_id, cancel_status: status }: OpenSliceRow, isUnattended: boolean): LiveSlice['cancel'] {
  if (cancel_id === null || status === 'failed' || status === 'canceled' || status === 'expired') return null
  if (hasLeft(status)) return 'sent'
  return isUnattended ? null : 'awaiting_signature'
}

/** A crossed book proves nothing. */
export function marketOf(book: AlgorithmBook | 'none' | 'silent'): MarketView {
  if (typeof book === 'string') return noMarket
  const [bids, asks] = [bestFirst(book.bids, -1), bestFirst(book.asks, 1)]
  const isCrossed = bids[0] !== undefined && asks[0] !== undefined && bids[0].price >= asks[0].price
  return isCrossed ? noMarket : { isLive: true, bids, asks }
}

const noMarket: MarketView = { isLive: false, bids: [], asks: [] }

/** Orders of an algorithm are among the best few levels, or far from them. */
const levelsMax = 20

const bestFirst = (levels: readonly AlgorithmBookLevel[], direction: 1 | -1): BookLevel[] =>
  levels
    .map(({ price, size }) => ({ price: unitsOfNumber(price), size: unitsOfNumber(size) }))
    .sort((a, b) => (a.price - b.price) * direction)
    .slice(0, levelsMax)
