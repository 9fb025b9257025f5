// The execution routes of a backtest: build, submit, cancel, modify, refresh, discard, and the reads of an account.
import { Fault } from '#core/fault'
import { venueEntry } from '#orders/executions/listVenues'
import type { ExecutionAdapter } from '#venues/lane'
import type { Builds, BuiltOrder } from '../exchange/builds.ts'
import type { Exchange } from '../exchange/exchange.ts'
import {
  type BacktestExecution,
  builtRow,
  decimalOfMicros,
  executionRow,
  isInFlight,
  orderOverview,
  unfilled,
} from '../exchange/execution.ts'
import { fillRow } from '../exchange/fill.ts'
import { freeze } from '../exchange/freeze.ts'
import { type ApiAnswer, type ApiRequest, answer, pageOf, readTime } from './request.ts'

export interface ExecutionsApiOptions {
  exchange: Exchange
  builds: Builds
  /** Venues of the run. */
  venues: readonly string[]
  lanes: ReadonlyMap<string, ExecutionAdapter>
  now(): number
  newId(): string
}

const limits = [50, 200] as const
/** In which it is pointless. */
const ended = {
  cancel: ['failed', 'canceled', 'expired'],
  modify: ['failed', 'canceled', 'expired', 'filled'],
} as const

export class ExecutionsApi {
  readonly executions = new Map<string, BacktestExecution>()
  private readonly options: ExecutionsApiOptions

  constructor(options: ExecutionsApiOptions) {
    this.options = options
  }

  build(venue: string, { body }: ApiRequest): ApiAnswer | Promise<ApiAnswer> {
    this.checkVenue(venue)
    if (Object.keys(body).length === 0) throw new Fault('VALIDATION_ERROR', 'the body is empty')
    const built = this.options.builds.order(venue, body)
    const isPreview = body.dryRun === true
    return built instanceof Promise
      ? built.then((each) => this.built(venue, each, isPreview))
      : this.built(venue, built, isPreview)
  }

  private built(venue: string, built: BuiltOrder, isPreview: boolean): ApiAnswer {
    const row = builtRow(this.add(venue, 'order', built, null, isPreview))
    if (!isPreview && built.warnings.length === 0) return answer(row)
    return answer(row, {
      ...(isPreview ? { dryRun: true } : {}),
      ...(built.warnings.length === 0 ? {} : { warnings: [...built.warnings] }),
    })
  }

  submit(venue: string, id: string): ApiAnswer {
    const execution = this.owned(venue, id)
    if (execution.status !== 'built')
      throw new Fault('EXECUTION_TERMINAL', `the execution is ${execution.status}: it was submitted before`)
    const now = this.options.now()
    if (execution.intent === 'cancel') this.options.exchange.cancel(execution, now)
    else this.options.exchange.submit(execution, now)
    return answer(executionRow(execution))
  }

  derive(venue: string, id: string, intent: 'cancel' | 'modify', { body }: ApiRequest): ApiAnswer {
    const target = this.owned(venue, id)
    if (target.intent === 'cancel') throw new Fault('VALIDATION_ERROR', `a cancel has no ${intent}`)
    if ((ended[intent] as readonly string[]).includes(target.status))
      throw new Fault('EXECUTION_TERMINAL', `the execution is ${target.status}: there is nothing left to ${intent}`)
    if (target.venueRef === null || target.order === null)
      throw new Fault('VALIDATION_ERROR', 'the execution has no venue order id yet')
    const orderId = target.venueRef
    if (intent === 'cancel') {
      const unsigned = Object.freeze({ backtest: true, orderId })
      const built = { ...nothing, unsigned, buildVersion: target.buildVersion, order: null }
      return answer(builtRow(this.add(venue, 'cancel', built, target, false)))
    }
    const changed = this.options.builds.change(target.order, body)
    const order = { ...target.order, ...changed, ...unfilled }
    const unsigned = {
      ...{ backtest: true, orderId },
      ...{ price: decimalOfMicros(order.price), size: decimalOfMicros(order.size) },
    }
    const built = { ...nothing, unsigned, buildVersion: target.buildVersion, order }
    return answer(builtRow(this.add(venue, 'modify', built, target, false)))
  }

  refresh(venue: string, id: string): ApiAnswer {
    const execution = this.owned(venue, id)
    if (execution.venueRef === null) throw new Fault('VALIDATION_ERROR', 'the execution has no venue order id yet')
    const fills = this.options.exchange.fillsOf(execution).map((fill) => fillRow(fill).fill)
    return answer({ ...executionRow(execution), fills })
  }

  discard(venue: string, id: string): ApiAnswer {
    const execution = this.owned(venue, id)
    if (execution.status !== 'built')
      throw new Fault('EXECUTION_TERMINAL', `the execution is ${execution.status}: only a build can be discarded`)
    execution.status = 'canceled'
    execution.statusSince = this.options.now()
    execution.updatedAt = execution.statusSince
    return answer(executionRow(execution))
  }

  get(id: string): ApiAnswer {
    const execution = this.owned(null, id)
    return answer(builtRow(execution))
  }

  list({ query }: ApiRequest): ApiAnswer {
    const { page, next } = pageOf(this.filtered(query), query, ...limits)
    return answer(
      page.map((execution) => executionRow(execution)),
      next,
    )
  }

  listOrders({ query }: ApiRequest): ApiAnswer {
    const marketId = query.get('marketId')
    const all = this.filtered(query, ['order', 'modify']).filter(
      (execution) =>
        (marketId === null || execution.order!.market.market.marketId === marketId) &&
        (query.get('open') !== 'true' || isInFlight(execution)),
    )
    const { page, next } = pageOf(all, query, ...limits)
    const changes = [...this.executions.values()].filter(({ intent }) => intent === 'modify')
    const rows = page.map((row) =>
      orderOverview(
        row,
        changes.filter(({ target }) => target === row),
      ),
    )
    return answer(rows, next)
  }

  listFills(venue: string, { query }: ApiRequest): ApiAnswer {
    this.checkVenue(venue)
    const fills = this.options.exchange.fills.filter(({ execution }) => execution.venue === venue)
    const { page, next } = pageOf(fills, query, ...limits)
    return answer(page.map(fillRow), next)
  }

  listVenues(): ApiAnswer {
    const { venues, lanes } = this.options
    const rows = venues.flatMap((venue) => {
      const lane = lanes.get(venue)
      if (lane === undefined) return []
      const entry = venueEntry(lane, true)
      return [{ ...entry, verbs: { ...entry.verbs, ...verbs }, intents: ['order'] }]
    })
    return answer(rows)
  }

  /** Everything in flight, newest first. */
  inFlight(): BacktestExecution[] {
    return [...this.executions.values()].filter(isInFlight).reverse()
  }

  private filtered(query: URLSearchParams, intents?: readonly string[]): BacktestExecution[] {
    const [venue, intent] = ['venue', 'intent'].map((name) => query.get(name))
    const statuses = query.get('status')?.split(',')
    const since = readTime(query, 'since')
    return [...this.executions.values()]
      .filter(
        (row) =>
          (intents === undefined || intents.includes(row.intent)) &&
          (venue == null || row.venue === venue) &&
          (statuses === undefined || statuses.includes(row.status)) &&
          (intent == null || row.intent === intent) &&
          (since === null || row.createdAt >= since),
      )
      .reverse()
  }

  private add(
    venue: string,
    intent: BacktestExecution['intent'],
    built: Omit<BuiltOrder, 'order'> & { order: BuiltOrder['order'] | null },
    target: BacktestExecution | null,
    isPreview: boolean,
  ): BacktestExecution {
    const now = this.options.now()
    const { unsigned, buildVersion, notionalUsd, feeEstimate, warnings, collateral, summary, order } = built
    // A strategy within the process gets these very values.
    freeze(unsigned)
    freeze(summary)
    // Every member by its name: spread syntax costs more than all the rest.
    const execution: BacktestExecution = {
      id: this.options.newId(),
      seq: this.executions.size + 1,
      venue,
      intent,
      status: 'built',
      unsigned,
      buildVersion,
      submittedArtifact: null,
      venueRef: null,
      notionalUsd,
      feeEstimate,
      warnings,
      collateral,
      summary,
      order,
      target,
      error: null,
      createdAt: now,
      updatedAt: now,
      statusSince: now,
    }
    if (!isPreview) this.executions.set(execution.id, execution)
    return execution
  }

  private owned(venue: string | null, id: string): BacktestExecution {
    const execution = this.executions.get(id)
    if (execution !== undefined && (venue === null || execution.venue === venue)) return execution
    throw new Fault('EXECUTION_NOT_FOUND', 'no such execution')
  }

  private checkVenue(venue: string): void {
    if (!this.options.venues.includes(venue))
      throw new Fault('VENUE_NOT_SUPPORTED', `the backtest has no market of ${venue}`)
  }
}

/** What every venue of a backtest can do. */
const verbs = { build: true, dryRun: true, submit: true, refresh: true, cancel: true, modify: true, redeem: false }

const nothing = { notionalUsd: null, feeEstimate: null, warnings: [], collateral: undefined, summary: null }
