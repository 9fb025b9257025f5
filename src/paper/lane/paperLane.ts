// A venue's lane for paper accounts: it builds the venue's own artifacts, so that a bot signs as it does live, and its orders go to the paper
// exchange. A signature or a key in a body is dropped when the body is read: it is neither checked, nor stored, nor sent.
//
//   body ─► gatherFacts, build (the venue's, without a request) ─► prepare ─► relay: the order is taken by the exchange ─► read: its state
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'
import type { ExecutionStatus, PositionIntent } from '#schemas/executions'
import type { PaperOrderState } from '#schemas/paper'
import { hasSyntheticBooks, type QueriedVenue } from '#schemas/venues'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'
import type { ExecutionAdapter, LaneContext, LaneExecution, Observation, Prepared, RelayOutcome } from '#venues/lane'
import { notVisible } from '#venues/shared/exec/orderSnapshot'
import { type PaperFeeModel, purchaseReserve } from '../accounts/fees.ts'
import type { PaperTrading } from '../accounts/ports.ts'
import { checkedTerms, checkTradable, noLiveBook, readPaperOrder } from './order.ts'
import { paperOrderId } from './orderId.ts'
import { readingPaperFills, storedPaperFill } from './paperFill.ts'
import { resolvedValues } from './resolved.ts'

/** Whatever a body for the venue may contain: nothing of it is kept. */
const NoBody = z.record(z.string(), z.unknown()).transform(() => ({}))

export function createPaperLane(lane: ExecutionAdapter, trading: PaperTrading): ExecutionAdapter {
  // Positions are exchanged for cash by trades and redemptions only.
  const { redeem, modify, split: _split, merge: _merge, convert: _convert, ...whole } = readingPaperFills(lane)
  const { buildsOnly: _builds, defaultOff: _off, settlementOnly: _settlement, holdings: _holdings, ...rest } = whole
  return {
    ...rest,
    blockedCountries: [],
    order: {
      ...lane.order,
      async gatherFacts(context, body) {
        if (hasSyntheticBooks(lane.slug)) throw noLiveBook(lane.slug, 'the books of this venue are derived')
        return lane.order.gatherFacts(context, body)
      },
    },
    noHoldings: 'paper accounts hold nothing at a venue: see GET /v1/paper/account',
    ...(redeem !== undefined && { redeem: { body: redeem.body, build: redeem.build } }),
    // A modified paper order keeps its id.
    ...(modify !== undefined && { modify: { body: modify.body, build: modify.build } }),
    submit: {
      body: NoBody,
      fields: [],
      prepare: (context, execution) => prepare(trading, lane, context, execution),
      relay: (context, execution, prepared) => relay(trading, lane, context, execution, prepared),
    },
    refresh: {
      body: NoBody,
      fields: [],
      credentialFree: true,
      asks: 'anybody',
      read: (context, execution) => read(trading, context, lane.slug, execution),
    },
  }
}

async function prepare(
  trading: PaperTrading,
  lane: ExecutionAdapter,
  context: LaneContext,
  execution: LaneExecution,
): Promise<Prepared> {
  const { unsigned: submittedArtifact, intent, executionId, target } = execution
  switch (intent) {
    case 'order':
      await readPaperOrder(trading, lane, execution)
      return { submittedArtifact, venueRef: paperOrderId(lane.paperOrderId ?? 'uuid', executionId) }
    case 'cancel':
      await openOrderOf(trading, context, lane.slug, target)
      return { submittedArtifact, venueRef: target?.venueRef ?? null }
    case 'modify': {
      const terms = checkedTerms(execution.terms)
      await openOrderOf(trading, context, lane.slug, target)
      await checkTradable(trading, lane.slug, terms)
      return { submittedArtifact, venueRef: target?.venueRef ?? null }
    }
    case 'redeem':
      await resolvedValues(trading, paperAccountOf(context).accountId, lane.slug, executionId)
      return { submittedArtifact, venueRef: paperOrderId(lane.paperOrderId ?? 'uuid', executionId) }
    case 'split':
    case 'merge':
    case 'convert':
      throw noExchange(lane.slug, intent)
  }
}

/** Throws PAPER_ORDER_NOT_FOUND, PAPER_ORDER_NOT_OPEN. */
async function openOrderOf(
  { store }: PaperTrading,
  context: LaneContext,
  venue: string,
  target: LaneExecution | null,
): Promise<PaperOrderRow> {
  const ref = target?.venueRef ?? null
  const order = ref === null ? null : await store.findOrder(paperAccountOf(context).accountId, { venue, ref })
  if (order === null) throw notFound()
  if (order.state !== 'working') throw notOpen(order.state)
  return order
}

export const notFound = (): Fault => new Fault('PAPER_ORDER_NOT_FOUND', 'the paper exchange has no such order')
export const notOpen = (state: PaperOrderState | null): Fault =>
  new Fault('PAPER_ORDER_NOT_OPEN', `the paper order ${state === null ? 'has ended' : `is ${state}`}`)

async function relay(
  trading: PaperTrading,
  lane: ExecutionAdapter,
  context: LaneContext,
  execution: LaneExecution,
  prepared: Prepared,
): Promise<RelayOutcome> {
  try {
    return await send(trading, lane, context, execution, prepared)
  } catch (error) {
    // Refusals that a change since `prepare` caused: nothing was taken.
    if (error instanceof Fault && isPaperCode(error.code)) return refused(error.code, error.message)
    throw error
  }
}

async function send(
  trading: PaperTrading,
  lane: ExecutionAdapter,
  context: LaneContext,
  execution: LaneExecution,
  { venueRef }: Prepared,
): Promise<RelayOutcome> {
  const { store, settings, clock } = trading
  const { accountId } = paperAccountOf(context)
  const { slug: venue } = lane
  const { executionId, intent, target } = execution
  const at = new Date(clock.now())
  const change = { accountId, venue, ref: target?.venueRef ?? '', byExecution: executionId, at }
  switch (intent) {
    case 'order': {
      const order = await readPaperOrder(trading, lane, execution)
      const { startCash } = settings
      const result = await store.place({ ...order, executionId, accountId, ref: venueRef!, startCash, at })
      return result.kind === 'placed' ? accepted(venueRef) : refusal(result)
    }
    case 'cancel': {
      const result = await store.cancel(change)
      return result.kind === 'requested' ? accepted(venueRef) : refusal(result)
    }
    case 'modify': {
      const { price, size } = checkedTerms(execution.terms)
      const result = await store.modify({ ...change, price, size, reserveOf: reserveOfModified })
      return result.kind === 'modified' ? accepted(venueRef) : refusal(result)
    }
    case 'redeem': {
      const market = await resolvedValues(trading, accountId, venue, executionId)
      const result = await store.redeem({ ...market, venue, at }, { accountId, executionId })
      if (result.kind !== 'redeemed') return refusal(result)
      return { kind: 'accepted', venueRef, status: 'filled', fills: [] }
    }
    case 'split':
    case 'merge':
    case 'convert':
      throw noExchange(venue, intent)
  }
}

const noExchange = (venue: QueriedVenue, intent: PositionIntent): Fault =>
  new Fault('NOT_IMPLEMENTED', `paper accounts do not ${intent} positions`, { exchange: venue })

const reserveOfModified = (order: PaperOrderRow, price: string, size: string): string =>
  purchaseReserve(order.fee_model as PaperFeeModel, { price, size, hasFills: order.fills > 0 })

const accepted = (venueRef: string | null): RelayOutcome => ({ kind: 'accepted', venueRef, status: 'acked', fills: [] })

type Refusal =
  | { kind: 'not_submitted' | 'cap' | 'not_found' | 'not_open' | 'nothing_held' }
  | { kind: 'cash' | 'position'; available: string }
  | { kind: 'filled'; filled: string }

function refusal(result: Refusal): RelayOutcome {
  switch (result.kind) {
    case 'not_submitted':
      return { kind: 'unknown', cause: new Error('the execution was settled before the paper exchange took it') }
    case 'cap':
      return refused('PAPER_WORKING_ORDER_CAP', 'the paper account has too many working orders: cancel some first')
    case 'cash':
      return refused(
        'PAPER_INSUFFICIENT_CASH',
        `the order needs more cash than the paper account has at this venue: ${result.available} is available`,
      )
    case 'position':
      return refused(
        'PAPER_POSITION_TOO_SMALL',
        `the paper account holds ${result.available} of this outcome that can be sold; it sells nothing short`,
      )
    case 'filled':
      return refused('PAPER_ORDER_NOT_OPEN', `${result.filled} contracts are filled already, and nothing would rest`)
    case 'not_found':
    case 'not_open': {
      const fault = result.kind === 'not_found' ? notFound() : notOpen(null)
      return refused(fault.code as PaperCode, fault.message)
    }
    case 'nothing_held':
      return refused('PAPER_POSITION_TOO_SMALL', 'the paper account holds no resolved shares of this market')
  }
}

type PaperCode = Extract<ErrorCode, `PAPER_${string}`>
const isPaperCode = (code: ErrorCode): code is PaperCode => code.startsWith('PAPER_')

const refused = (code: PaperCode, reason: string): RelayOutcome => ({ kind: 'refused', code, reason, local: true })

const statuses: Readonly<Record<PaperOrderState, ExecutionStatus>> = {
  working: 'acked',
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'failed',
}

const missing = 'the paper exchange does not have it'

async function read(
  { store }: PaperTrading,
  context: LaneContext,
  venue: string,
  { executionId, intent, venueRef, target }: LaneExecution,
): Promise<Observation> {
  const { accountId } = paperAccountOf(context)
  if (intent === 'redeem') {
    const cash = await store.findRedeemed(executionId)
    if (cash === null) return notVisible(venueRef, missing, true)
    return { status: 'filled', shown: true, venueRef, fills: [], observation: { cash } }
  }
  const ref = intent === 'order' ? null : (target?.venueRef ?? '')
  const order = await store.findOrder(accountId, ref === null ? { executionId } : { venue, ref })
  if (order === null) return notVisible(venueRef, missing, intent === 'order')
  if (intent !== 'order') return readChange(order, { intent, executionId, venueRef })
  const fills = await store.listFillsOf(executionId)
  return {
    status: statuses[order.state],
    shown: true,
    venueRef: order.ref,
    matchedSize: order.filled,
    fills: fills.map((fill) => ({
      key: `paper:${fill.number}`,
      fill: storedPaperFill(order, fill),
      filledAt: fill.filled_at.getTime(),
    })),
    ...(order.reason !== null && { reason: order.reason }),
    observation: { state: order.state, queueAhead: order.queue_ahead, filled: order.filled },
  }
}

/** A cancellation or a modification was taken when the order names it. */
function readChange(
  order: PaperOrderRow,
  { intent, executionId, venueRef }: Pick<LaneExecution, 'intent' | 'executionId' | 'venueRef'>,
): Observation {
  const isTaken = order.changed_by.includes(executionId)
  const isOver = intent === 'modify' && isTaken && order.state !== 'working'
  return {
    status: isOver ? statuses[order.state] : isTaken ? 'acked' : null,
    shown: true,
    venueRef,
    fills: [],
    ...(!isTaken && { undone: true }),
    observation: { state: order.state },
  }
}

export function paperAccountOf({ paper }: LaneContext): { accountId: string } {
  if (paper === undefined) throw new Error('a paper order was not given its account')
  return paper
}
