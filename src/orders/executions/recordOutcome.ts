// Records the venue's answer to a submit, or that there was none.
import { systemClock, type Timer } from '#core/clock'
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { RelayOutcome } from '#venues/lane'
import { closedWithoutReport } from './applyUpdate.ts'
import type { Circuit } from './breaker.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { isStorageUnavailable, withRetry } from './retryWrite.ts'
import { describeUnknown, sanitizeReason } from './sanitizeReason.ts'
import { correctionEvent, moveOf, nextStatus } from './transitions.ts'

/** The caller was answered that the storage did not respond, and then it did. */
export const timedOutOutcome: RelayOutcome = {
  kind: 'refused',
  reason: 'the storage answered too late; nothing was sent',
  code: 'NETWORK_ERROR',
}

/** How long the caller waits for the venue's answer to be recorded; after that it gets what was sent. */
const recordWithinMs = 5_000

export interface Relayed {
  key: string
  /** As claimed. */
  row: ExecutionRow
  outcome: RelayOutcome
  circuit: Circuit
  /** An earlier copy of the same bytes may have arrived: a refusal of this one does not end the execution. */
  isResend: boolean
}

/** The venue's response survives a brief storage outage, and the caller of an order that was sent never gets an answer that it was not. */
export async function recordOutcome(deps: ExecutionsDeps, caller: Caller, relayed: Relayed): Promise<ExecutionRow> {
  const { row, outcome } = relayed
  const { log } = deps
  const written = withRetry(() => settle(deps, caller, relayed)).catch((error: unknown) => {
    if (!isStorageUnavailable(error)) throw error
    log.error(
      { executionId: row.id, venue: row.venue, outcome: outcome.kind, err: error },
      'failed to store a venue’s response',
    )
    return row
  })
  let timer: Timer | undefined
  const sent = new Promise<ExecutionRow>((resolve) => {
    timer = systemClock.after(recordWithinMs, () => resolve(row))
  })
  try {
    return await Promise.race([written, sent])
  } finally {
    timer?.cancel()
    // The caller has already been answered.
    written.catch(() => undefined)
  }
}

async function settle(
  deps: ExecutionsDeps,
  { accountId }: Caller,
  { key, row, outcome: received, circuit, isResend }: Relayed,
): Promise<ExecutionRow> {
  const { store, clock, log } = deps
  const at = new Date(clock.now())
  const claimed = { accountId, key, claimedAt: row.updated_at }
  const recorded = (word: JsonObject) => ({ ...claimed, outcome: word })
  /** A refresh was faster. */
  const now = async (): Promise<ExecutionRow> => (await store.find(accountId, row.id)) ?? row
  const outcome: RelayOutcome =
    isResend && received.kind === 'rejected'
      ? { kind: 'unknown', cause: received.reason, text: received.reason }
      : received
  switch (outcome.kind) {
    case 'accepted': {
      circuit.accepted()
      const event = ({ acked: 'accepted', filled: 'acceptedFilled', canceled: 'acceptedCanceled' } as const)[
        outcome.status
      ]
      const move = {
        ...moveOf(row, event, at),
        venueRef: outcome.venueRef ?? undefined,
        matchedSize: outcome.matchedSize,
        fills: outcome.fills.map(({ key: venueKey, fill, filledAt }) => ({
          key: venueKey,
          fill,
          filledAt: new Date(filledAt),
        })),
      }
      const moved = await store.move(move, recorded({ kind: 'accepted' }))
      if (moved !== null) return moved
      if (outcome.matchedSize !== undefined) {
        await store.recordSighting({ id: row.id, at, shown: null, matchedSize: outcome.matchedSize })
      }
      const current = await now()
      // It was settled meanwhile without the venue's answer: here it is.
      const better = closedWithoutReport(current) ? correctionEvent(outcome.status) : null
      if (better === null || nextStatus(current.status, better) === null) return current
      return (await store.move({ ...move, ...moveOf(current, better, at), fills: move.fills, error: null })) ?? now()
    }
    case 'rejected': {
      const error = sanitizeReason(outcome.reason)
      // The reference was only predicted: a rejected order has none.
      const move = { ...moveOf(row, 'rejected', at), error, venueRef: null }
      return (await store.move(move, recorded({ kind: 'rejected', error }))) ?? now()
    }
    case 'refused': {
      const code: ErrorCode = outcome.code ?? 'VENUE_CREDENTIAL_REJECTED'
      const reason = code === 'NETWORK_ERROR' ? outcome.reason : sanitizeReason(outcome.reason)
      const message = isResend ? `${reason}; the earlier attempt may still arrive` : reason
      const refusal = recorded({ kind: 'refused', code, message })
      if (isResend) await store.recordOutcome(refusal)
      else {
        // Tried again for about a minute: by then the key may have led to another attempt, which this does not concern.
        const move = { ...moveOf(row, 'refused', at), unchangedSince: row.updated_at }
        await store.move({ ...move, submittedArtifact: null, venueRef: null }, refusal)
      }
      // A venue that was busy or never reached reported nothing about the credentials.
      if (code === 'VENUE_CREDENTIAL_REJECTED' && outcome.local !== true) circuit.refused()
      throw new Fault(code, message, { exchange: row.venue, afterWork: code !== 'NETWORK_ERROR' })
    }
    case 'unknown': {
      const of = { executionId: row.id, venue: row.venue }
      // Our own wording: nothing went wrong that a stack would explain.
      if (outcome.reason !== undefined) log.warn({ ...of, reason: outcome.reason }, 'the outcome of a relay is unknown')
      else log.warn({ ...of, err: outcome.cause }, 'a relay ended without a response')
      const known = describeUnknown(outcome)
      return (await store.recordUnknown({ ...claimed, id: row.id, known })) ?? now()
    }
  }
}
