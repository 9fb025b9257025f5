// What an order may suffer on its way, alike for every lane: each `order` fault of the lab, the refusals of the edge, and a closed market.
import { expect, it, vi } from 'vitest'
import type { Faults } from '#lab/faults'
import type { ManualClock } from '#lib/clock'
import type { LaneExecution, Observation } from '#venues/lane'
import { type Tells, tellsAll } from './cases/laneCase.ts'
import type { Sent } from './laneLab.ts'

export interface Fated {
  clock: ManualClock
  faults: Faults
  /** Builds an order that rests, and sends it; the same each time but for its entropy. */
  place(): Promise<Sent>
  look(execution: LaneExecution): Promise<Observation>
  /** Absent where the lane cancels nothing. */
  cancel?(execution: LaneExecution): Promise<Sent>
  /** What the lab keeps of the account, oldest first. */
  orders(): readonly unknown[]
  /** By the name `faults` knows it. */
  marketId: string
}

export interface Words {
  /** Part of the path that orders go to and nothing else the test asks does. */
  orderPath: string
  /** The same of cancellations. */
  cancelPath?: string
  venueRef: RegExp
  /** True where the venue's id follows from the artifact: known before anybody answers. */
  refIsKnown: boolean
  /** `unknown` where no document tells in which words the venue limits requests: its 429 proves nothing. */
  limit: 'refused' | 'unknown'
  /** Of the fate `reject`, and of a market that is closed; null where no document tells in which words, absent where none is built for it. */
  rejection: RegExp
  closed?: RegExp | null
  /** As the venue's case has it. */
  tells?: Partial<Tells>
}

export function sufferEveryFate(
  here: () => Fated,
  { orderPath, cancelPath, venueRef, refIsKnown, limit, rejection, closed, ...words }: Words,
): void {
  const tells = { ...tellsAll, ...words.tells }

  it('taken and cut off: unknown, and found again by what follows from the artifact', async () => {
    here().faults.order({ fate: 'drop' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('unknown')
    if (refIsKnown) expect(execution.venueRef).toMatch(venueRef)
    else expect(execution.venueRef).toBeNull()
    const found = { status: 'acked', venueRef: expect.stringMatching(venueRef) }
    const doubt = { status: null, observation: { reason: expect.any(String) } }
    expect(await here().look(execution)).toMatchObject(tells.lost ? found : doubt)
    expect(here().orders()).toHaveLength(1)
  })

  it('cut off and never taken: unknown, and nothing is found', async () => {
    here().faults.order({ fate: 'vanish' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('unknown')
    expect(here().orders()).toEqual([])
    expect((await here().look(execution)).status).toBeNull()
  })

  it('answered late: accepted', async () => {
    const { faults, place, orders, clock } = here()
    faults.order({ fate: 'late', delayMs: 5_000 })
    const before = clock.pendingCount
    const sending = place()
    await vi.waitFor(() => expect(orders()).toHaveLength(1))
    // The host sets its timer in the turn after the order is taken.
    await vi.waitFor(() => expect(clock.pendingCount).toBeGreaterThan(before))
    clock.advance(5_000)
    expect((await sending).outcome.kind).toBe('accepted')
  })

  it('forgotten after the answer: accepted, and then no evidence of anything', async () => {
    here().faults.order({ fate: 'forget' })
    const { execution, outcome } = await here().place()
    expect(outcome.kind).toBe('accepted')
    expect(await here().look(execution)).toMatchObject({ status: null, venueRef: execution.venueRef })
  })

  it('refused: rejected in the venue’s words; a market that is closed likewise', async () => {
    const { faults, place, orders, marketId } = here()
    faults.order({ fate: 'reject' })
    expect((await place()).outcome).toEqual({ kind: 'rejected', reason: expect.stringMatching(rejection) })
    expect(orders()).toEqual([])
    if (closed === undefined) return
    faults.close({ market: marketId })
    const late = (await place()).outcome
    if (closed === null) expect(late.kind).toBe('unknown')
    else expect(late).toEqual({ kind: 'rejected', reason: expect.stringMatching(closed) })
    expect(orders()).toEqual([])
  })

  it('limited: refused where the venue says so, and not for the credentials; broken: unknown; neither is sent again', async () => {
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

  it('a cancellation nobody answered: unknown, and what became of the order tells of it', async () => {
    const { faults, place, look, clock, ...more } = here()
    const cancel = more.cancel!
    const { execution } = await place()
    faults.http({ status: 502, count: 1, path: cancelPath })
    const lost = await cancel(execution)
    expect(lost.outcome.kind).toBe('unknown')
    expect((await look(lost.execution)).status).toBeNull()
    expect((await look(execution)).status).toBe(tells.resting ? 'acked' : null)
    expect((await cancel(execution)).outcome.kind).toBe('accepted')
    await look(execution)
    clock.advance(60_000)
    expect((await look(execution)).status).toBe(tells.canceled ? 'canceled' : null)
    expect((await look(lost.execution)).status).toBe(tells.canceled ? 'acked' : null)
  })
}
