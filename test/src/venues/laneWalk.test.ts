// Random walks of each lane with its lab: orders are placed, cut off, lost, traded, cancelled and refreshed in any order. The results are
// folded like in the core and compared with the venue’s true state at the end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultFor, type SimulatedOrder } from '#lab/engine/orderManager'
import { updateFor } from '#orders/executions/applyUpdate'
import { type ExecutionEvent, isTerminal, nextStatus } from '#orders/executions/transitions'
import type { ExecutionStatus } from '#schemas/executions'
import type { ShownStates } from '#test/support/cases/laneCase'
import { laneCases, type OpenableCase, type OpenCase } from '#test/support/laneCases'
import { refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import type { ExecutionAdapter, LaneExecution, VenueFill } from '#venues/lane'

const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 300 : 6

/** One order as known to the service and to the venue. */
interface Tracked {
  /** The filled size with the last status that was read. */
  filled: string | undefined
  execution: LaneExecution
  fills: Map<string, VenueFill>
  lastEvent: ExecutionEvent
  /** The outcome of the submit. */
  outcome: string
  /** Null: the venue never accepted it. */
  order: SimulatedOrder | null
  /** When the venue first acknowledged a cancellation of it. */
  canceledAt: number | null
}

type Op =
  | { op: 'place'; fault: 'none' | 'drop' | 'vanish' | 'reject' | 'busy' | 'broken' }
  | { op: 'trade'; which: number; contracts: number }
  | { op: 'cancel'; which: number; lost: boolean }
  | { op: 'expire'; which: number }
  | { op: 'look'; which: number }
  | { op: 'lag'; what: 'orders' | 'fills' | 'nothing' }
  | { op: 'wait'; ms: number }

const which = fc.nat(5)
const ops: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('place' as const),
        fault: fc.constantFrom('none', 'drop', 'none', 'vanish', 'none', 'reject', 'busy', 'broken'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ op: fc.constant('trade' as const), which, contracts: fc.integer({ min: 1, max: 60 }) }),
    },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('cancel' as const), which, lost: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('expire' as const), which }) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('look' as const), which }) },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constant('lag' as const), what: fc.constantFrom('orders', 'fills', 'nothing') }),
    },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 70_000 }) }) },
  ),
  { minLength: 4, maxLength: 16 },
)

/** What these venues show of an ended order has no filled size. */
const withoutAmount: ReadonlySet<string> = new Set(['sxbet', 'xo'])

const truth = {
  open: 'acked',
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
} as const satisfies Record<string, ExecutionStatus>
/** Contracts, as the lane reads them. */
const sizeOf = ({ readFill }: ExecutionAdapter, { fill }: VenueFill, execution: LaneExecution): number =>
  Number(readFill!(fill, execution)?.size)

describe.each(Object.entries(laneCases))('%s', (_, { lane, orderPath, cancelPath, cancelBody, shows, open }) => {
  it('the service agrees with the venue or reports nothing, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(ops, async (steps) => {
        const opened = await open()
        try {
          const walk = walkOf(lane, opened, { orderPath, cancelPath, cancelBody, shows })
          for (const step of steps) await walk.take(step)
          await walk.settle()
          for (const each of walk.tracked) expectTrue(lane, each, shows)
          // No order was placed without a request or twice.
          expect(opened.orders()).toHaveLength(walk.tracked.filter(({ order }) => order !== null).length)
        } finally {
          await opened.here.close()
        }
      }),
      { numRuns: runs },
    )
  }, 900_000)

  it.runIf(shows.canceled && !withoutAmount.has(lane.slug))(
    'of a cancelled order without a fill the venue reports that nothing was filled',
    async () => {
      const opened = await open()
      try {
        const walk = walkOf(lane, opened, { orderPath, cancelPath, cancelBody, shows })
        await walk.take({ op: 'place', fault: 'none' })
        await walk.take({ op: 'cancel', which: 0, lost: false })
        await walk.settle()
        const [{ execution, filled }] = walk.tracked as [Tracked]
        expect([execution.status, Number(filled)]).toEqual(['canceled', 0])
      } finally {
        await opened.here.close()
      }
    },
  )
})

function expectTrue(lane: ExecutionAdapter, tracked: Tracked, shows: ShownStates): void {
  const { execution, fills, outcome, order } = tracked
  const { status } = execution
  const filledSize = [...fills.values()].reduce((sum, fill) => sum + sizeOf(lane, fill, execution), 0)
  if (order === null) {
    // Rejected, refused or lost: an order that does not exist is never reported to exist.
    const isUndone = shows.neverCame && outcome === 'unknown' && status === 'failed'
    const is = { rejected: 'failed', refused: 'built', unknown: isUndone ? 'failed' : 'submitted' }[outcome]
    expect([status, filledSize]).toEqual([is, 0])
    return
  }
  const isAcknowledged = outcome === 'accepted' || status !== 'submitted'
  // An order whose acceptance was lost may have ended before it was looked up: then its status stays.
  const end = faultFor(order)
  const isReported = end === 'open' || shows[end]
  if (isAcknowledged) expect(status).toBe(isReported ? truth[end] : 'acked')
  else expect([outcome, filledSize]).toEqual(['unknown', 0])
  if (isTerminal(status)) expect(filledSize).toBeCloseTo(order.filledHundredths / 100, 9)
}

type Paths = Pick<OpenableCase, 'orderPath' | 'cancelPath' | 'cancelBody' | 'shows'>

function walkOf(lane: ExecutionAdapter, opened: OpenCase, paths: Paths) {
  const { here, credentials, signed, orders } = opened
  const { world, lab } = here
  const tracked: Tracked[] = []
  // Where the venue takes no client order id, two equal orders within a minute are indistinguishable.
  const pauseAfter = ({ clientRef }: LaneExecution): number => (clientRef?.startsWith('search:') ? 240_000 : 5)
  const at = (index: number): Tracked | undefined => tracked[index % Math.max(1, tracked.length)]

  async function place(fault: Extract<Op, { op: 'place' }>['fault']): Promise<void> {
    if (fault === 'busy' || fault === 'broken')
      lab.faults.http({ status: fault === 'busy' ? 429 : 502, count: 1, path: paths.orderPath })
    else if (fault !== 'none') lab.faults.order({ fault })
    const built = await buildOrder(lane, world.context, opened.order)
    const before = orders().length
    const sent = await send(lane, world, built, { ...credentials, ...(await signed(built.unsigned, 'order')) })
    const { kind } = sent.outcome
    const status = {
      accepted: sent.execution.status,
      rejected: 'failed',
      refused: 'built',
      unknown: 'submitted',
    } as const
    const execution = { ...sent.execution, status: status[kind] }
    const order = orders().length > before ? orders().at(-1)! : null
    const none = { filled: undefined, fills: new Map(), lastEvent: 'submit', canceledAt: null } as const
    tracked.push({ ...none, execution, outcome: kind, order })
    world.clock.advance(pauseAfter(execution))
  }

  function trade({ order }: Tracked, contracts: number): void {
    if (order?.status !== 'open') return
    // Oldest first at one price: a sale into the level may fill another order of ours.
    const left = Math.floor((order.hundredths - order.filledHundredths) / 100)
    if (left > 0) here.trade('sell', order.priceMicros, Math.min(left, contracts))
    world.clock.advance(5)
  }

  /** Only at venues with an expired state. */
  function expire({ order }: Tracked): void {
    if (order !== null && paths.shows.expired) here.expire(order)
    world.clock.advance(5)
  }

  /** By the venue itself, where the lane cannot cancel. */
  async function cancel(each: Tracked, lost: boolean): Promise<void> {
    const { execution, order } = each
    if (execution.venueRef === null || isTerminal(execution.status) || execution.status === 'built') return
    if (paths.cancelPath === undefined) {
      if (order !== null && !lost) here.withdraw(order)
      return void world.clock.advance(5)
    }
    if (lost) lab.faults.http({ status: 502, count: 1, path: paths.cancelPath })
    const built = await lane.cancel!.build(world.context, execution, lane.cancel!.body.parse(paths.cancelBody(order)))
    const more = await signed(built.unsigned, 'cancel')
    const { outcome } = await send(lane, world, built, { ...credentials, ...more }, 'cancel', execution)
    if (outcome.kind === 'accepted') each.canceledAt ??= world.clock.now()
    world.clock.advance(5)
  }

  /** Folds like src/orders/executions/refresh.ts. */
  async function look(each: Tracked): Promise<void> {
    const { execution } = each
    const canRefresh = execution.venueRef !== null || (execution.status === 'submitted' && execution.clientRef !== null)
    if (!canRefresh || execution.status === 'built') return
    const read = await refresh(lane, world, execution, credentials, each.canceledAt)
    each.filled = read.status === null ? undefined : read.matchedSize
    const recorded = [...each.fills.keys()].map((venue_key) => ({ id: venue_key, venue_key }))
    const row = {
      status: execution.status,
      last_event: each.lastEvent,
      updated_at: new Date(execution.statusSince),
    }
    const statusUpdate = updateFor(row, read, recorded, world.clock.now())
    if (statusUpdate === null) return
    const status = nextStatus(execution.status, statusUpdate.event)!
    for (const fill of statusUpdate.fills) each.fills.set(fill.key, fill)
    each.lastEvent = statusUpdate.event
    each.execution = {
      ...execution,
      status,
      statusSince: status === execution.status ? execution.statusSince : world.clock.now(),
      missingSince: status === 'acked' ? null : execution.missingSince,
      venueRef: read.venueRef ?? execution.venueRef,
    }
  }

  return {
    tracked,
    async take(step: Op): Promise<void> {
      if (step.op === 'place') return place(step.fault)
      if (step.op === 'wait') return void world.clock.advance(step.ms)
      if (step.op === 'lag') {
        lab.faults.recover()
        if (step.what !== 'nothing') lab.faults.hide({ what: step.what })
        return
      }
      const each = at(step.which)
      if (each === undefined) return
      if (step.op === 'trade') return trade(each, step.contracts)
      if (step.op === 'expire') return expire(each)
      return step.op === 'cancel' ? cancel(each, step.lost) : look(each)
    },
    /** Three minutes with one refresh each, so that delayed reads and late acceptances are done. */
    async settle(): Promise<void> {
      lab.faults.recover()
      for (let round = 0; round < 3; round++) {
        world.clock.advance(61_000)
        for (const each of tracked) await look(each)
      }
    },
  }
}
