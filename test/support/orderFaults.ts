// The faults of an order, the same for every execution adapter: each `order` fault of the lab, the refusals of the edge, and a closed
// market.
import { expect, it, vi } from 'vitest'
import type { ManualClock } from '#core/clock'
import type { Faults } from '#lab/faults'
import type { LaneExecution, Observation } from '#venues/lane'
import { type ShownStates, showsAll } from './cases/laneCase.ts'
import type { Sent } from './laneLab.ts'

export interface FaultTest {
  clock: ManualClock
  faults: Faults
  /** Builds and sends a resting order; the same each time except for its random values. */
  place(): Promise<Sent>
  look(execution: LaneExecution): Promise<Observation>
  /** Absent when the adapter cancels nothing. */
  cancel?(execution: LaneExecution): Promise<Sent>
  /** The lab's orders of the account, oldest first. */
  orders(): readonly unknown[]
  /** The market's name in `faults`. */
  marketId: string
}

export interface Words {
  /** Part of the path that only order submissions use. */
  orderPath: string
  /** The same for cancellations. */
  cancelPath?: string
  venueRef: RegExp
  /** True when the venue's id follows from the artifact: it is known before any response. */
  refIsKnown: boolean
  /** `unknown` when the venue's message for a rate limit is not documented: its 429 proves nothing. */
  limit: 'refused' | 'unknown'
  /** Reason of the fault `reject`, and of a closed market; null when it is not documented, absent when no such order can be built. */
  rejection: RegExp
  closed?: RegExp | null
  /** As in the venue's case. */
  reports?: Partial<ShownStates>
}

export function testOrderFaults(
  here: () => FaultTest,
  { orderPath, cancelPath, venueRef, refIsKnown, limit, rejection, closed, ...words }: Words,
): void {
  const reports = { ...showsAll, ...words.reports }

  it('accepted without a response: the outcome is unknown, and refresh finds the order by what follows from the artifact', async () => {
    here().faults.order({ fault: 'drop' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('unknown')
    if (refIsKnown) expect(execution.venueRef).toMatch(venueRef)
    else expect(execution.venueRef).toBeNull()
    const found = { status: 'acked', venueRef: expect.stringMatching(venueRef) }
    const noEvidence = { status: null, observation: { reason: expect.any(String) } }
    expect(await here().look(execution)).toMatchObject(reports.lost ? found : noEvidence)
    expect(here().orders()).toHaveLength(1)
  })

  it('cut off before it was accepted: the outcome is unknown, and nothing is found', async () => {
    here().faults.order({ fault: 'vanish' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('unknown')
    expect(here().orders()).toEqual([])
    expect((await here().look(execution)).status).toBeNull()
  })

  it('accepted with a late response: the outcome is accepted', async () => {
    const { faults, place, orders, clock } = here()
    faults.order({ fault: 'late', delayMs: 5_000 })
    const before = clock.pendingCount
    const sending = place()
    await vi.waitFor(() => expect(orders()).toHaveLength(1))
    // The host sets its timer in the turn after the order is taken.
    await vi.waitFor(() => expect(clock.pendingCount).toBeGreaterThan(before))
    clock.advance(5_000)
    expect((await sending).outcome.kind).toBe('accepted')
  })

  it('forgotten after the response: the outcome is accepted, and later there is no evidence', async () => {
    here().faults.order({ fault: 'forget' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('accepted')
    expect(await here().look(execution)).toMatchObject({ status: null, venueRef: execution.venueRef })
  })

  it('refused: the outcome is rejected with the venue’s reason; the same in a closed market', async () => {
    const { faults, place, orders, marketId } = here()
    faults.order({ fault: 'reject' })
    expect((await place()).outcome).toEqual({ kind: 'rejected', reason: expect.stringMatching(rejection) })
    expect(orders()).toEqual([])
    if (closed === undefined) return
    faults.close({ market: marketId })
    const late = (await place()).outcome
    if (closed === null) expect(late.kind).toBe('unknown')
    else expect(late).toEqual({ kind: 'rejected', reason: expect.stringMatching(closed) })
    expect(orders()).toEqual([])
  })

  it('rate limited: refused if the venue says so; server error: unknown; neither is sent again', async () => {
    const { faults, place, orders } = here()
    faults.http({ status: 429, count: 1, path: orderPath })
    const limited = (await place()).outcome
    expect(limited).toMatchObject({ kind: limit, ...(limit === 'refused' && { code: 'NETWORK_ERROR' }) })
    for (const status of [500, 502, 503]) {
      faults.http({ status, count: 1, path: orderPath })
      expect((await place()).outcome.kind).toBe('unknown')
    }
    expect(orders()).toEqual([])
    expect((await place()).outcome.kind).toBe('accepted')
  })

  if (cancelPath === undefined) return

  it('a cancellation without a response: the outcome is unknown, and the status of the order settles it', async () => {
    const { faults, place, look, clock, ...more } = here()
    const cancel = more.cancel!
    const { execution } = await place()
    faults.http({ status: 502, count: 1, path: cancelPath })
    const lost = await cancel(execution)
    expect(lost.outcome.kind).toBe('unknown')
    expect((await look(lost.execution)).status).toBeNull()
    expect((await look(execution)).status).toBe(reports.resting ? 'acked' : null)
    expect((await cancel(execution)).outcome.kind).toBe('accepted')
    await look(execution)
    clock.advance(60_000)
    expect((await look(execution)).status).toBe(reports.canceled ? 'canceled' : null)
    expect((await look(lost.execution)).status).toBe(reports.canceled ? 'acked' : null)
  })
}
