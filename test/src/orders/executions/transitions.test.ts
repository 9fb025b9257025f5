import { describe, expect, it } from 'vitest'
import { executionEvents, isTerminal, nextStatus, observedEvent } from '#orders/executions/transitions'
import { type ExecutionStatus, executionStatuses } from '#schemas/executions'

/** Written by hand next to the table it checks: every cell that is not here must be rejected. */
const allowed: Readonly<Record<string, ExecutionStatus>> = {
  'built submit': 'submitted',
  'signed submit': 'submitted',
  'submitted resubmit': 'submitted',
  'built discard': 'canceled',
  'signed discard': 'canceled',
  'submitted accepted': 'acked',
  'submitted acceptedFilled': 'filled',
  'submitted acceptedCanceled': 'canceled',
  'submitted rejected': 'failed',
  'submitted refused': 'built',
  'submitted seenAcked': 'acked',
  'built seenFilled': 'filled',
  'signed seenFilled': 'filled',
  'submitted seenFilled': 'filled',
  'acked seenFilled': 'filled',
  'submitted seenFailed': 'failed',
  'acked seenFailed': 'failed',
  'built seenExpired': 'expired',
  'signed seenExpired': 'expired',
  'submitted seenExpired': 'expired',
  'acked seenExpired': 'expired',
  'built seenCanceled': 'canceled',
  'signed seenCanceled': 'canceled',
  'submitted seenCanceled': 'canceled',
  'acked seenCanceled': 'canceled',
  'submitted provedUndone': 'failed',
  'submitted resolvedFilled': 'filled',
  'submitted resolvedFailed': 'failed',
  'submitted resolvedCanceled': 'canceled',
  'acked resolvedFilled': 'filled',
  'acked resolvedFailed': 'failed',
  'acked resolvedCanceled': 'canceled',
  'built reportedSent': 'acked',
  'signed reportedSent': 'acked',
  'submitted reportedSent': 'acked',
  'acked fillsTold': 'acked',
  'filled fillsTold': 'filled',
  'expired fillsTold': 'expired',
  'canceled fillsTold': 'canceled',
  'acked fillsWithdrawn': 'acked',
  'filled fillsWithdrawn': 'filled',
  'expired fillsWithdrawn': 'expired',
  'canceled fillsWithdrawn': 'canceled',
  'filled correctedAcked': 'acked',
  'failed correctedAcked': 'acked',
  'expired correctedAcked': 'acked',
  'canceled correctedAcked': 'acked',
  'failed correctedFilled': 'filled',
  'expired correctedFilled': 'filled',
  'canceled correctedFilled': 'filled',
  'filled correctedFailed': 'failed',
  'expired correctedFailed': 'failed',
  'canceled correctedFailed': 'failed',
  'filled correctedExpired': 'expired',
  'failed correctedExpired': 'expired',
  'canceled correctedExpired': 'expired',
  'filled correctedCanceled': 'canceled',
  'failed correctedCanceled': 'canceled',
  'expired correctedCanceled': 'canceled',
}

describe('the state machine', () => {
  const cells = executionStatuses.flatMap((from) => executionEvents.map((on) => [from, on] as const))
  it.each(cells)('%s on %s follows the table', (from, on) => {
    expect(nextStatus(from, on)).toBe(allowed[`${from} ${on}`] ?? null)
  })
  it('leaves a final status only through a correction', () => {
    for (const from of executionStatuses.filter(isTerminal))
      for (const on of executionEvents.filter((event) => !event.startsWith('corrected')))
        expect([null, from]).toContain(nextStatus(from, on))
  })
  it('derives no observed event for a status that only this program can know', () => {
    for (const status of ['built', 'signed', 'submitted'] as const) expect(observedEvent(status)).toBeNull()
  })
})
