// Builds of a backtest: by the venue's own lane, from the catalog row alone. What a lane would read from its venue cannot be read; then, and at
// venues without order entry, the artifact has a generic form:
//
//   { "backtest": true, "outcomeId", "isBuy", "price", "size", "timeInForce", "expiresAt", "postOnly" }
//
// Cancels and modifications always have a generic form, because venues build them from their own reads:
//
//   { "backtest": true, "orderId" } and { "backtest": true, "orderId", "price", "size" }
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { readDecimal, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createLaneCatalog } from '#orders/executions/laneCatalog'
import { parseBody } from '#orders/executions/parseBody'
import { withoutVenuePrefix } from '#orders/executions/stripVenuePrefix'
import { memoized, summaryOfBuilt } from '#orders/executions/summary'
import { type JsonObject, type Summary, TimeInForce } from '#schemas/executions'
import type { Market } from '#schemas/market'
import type { Built, ExecutionAdapter, LaneContext } from '#venues/lane'
import { checkSupportedOptions } from '#venues/shared/exec/orderOptions'
import type { BacktestMarket } from '../markets/market.ts'
import { type OrderDetails, unfilled } from './execution.ts'
import { type BuildInputs, keyOfBody, kindOfBody, observe, RepeatedBuilds } from './repeatedBuilds.ts'

export interface BuiltOrder {
  order: OrderDetails
  unsigned: JsonObject
  buildVersion: number
  notionalUsd: number | null
  feeEstimate: JsonObject | null
  warnings: readonly string[]
  collateral: JsonObject | undefined
  summary: Summary | null
}

export interface BuildsOptions {
  markets: readonly BacktestMarket[]
  lanes: ReadonlyMap<string, ExecutionAdapter>
  now(): number
  randomBytes(length: number): Uint8Array
  randomUuid(): string
}

/** The same at a lane without a venue to read. */
const unreadable = (): never => {
  throw new Fault('NETWORK_ERROR', 'a backtest reads no venue')
}

/** Faults that only say that the lane could not read. */
const unread: ReadonlySet<string> = new Set(['NETWORK_ERROR', 'CATALOG_UNAVAILABLE'])

const Selector = z.object({
  asset: z.string().optional(),
  outcome: z.string().optional(),
  outcomeSide: z.enum(['YES', 'NO']).optional(),
})
const Amount = z.union([z.string(), z.number()])
const Generic = Selector.extend({
  isBuy: z.boolean(),
  price: Amount.optional(),
  worstPrice: Amount.optional(),
  type: z.enum(['limit', 'market']).optional(),
  size: Amount,
  timeInForce: TimeInForce.optional(),
  expiresAt: z.number().int().optional(),
  postOnly: z.boolean().optional(),
})

const times = {
  'good-til-cancel': 'GTC',
  'good-til-date': 'GTD',
  'fill-or-kill': 'FOK',
  'immediate-or-cancel': 'IOC',
} as const

export class Builds {
  private readonly options: BuildsOptions
  private readonly contexts = new Map<string, LaneContext>()
  private readonly inputs: BuildInputs
  private readonly repeated: RepeatedBuilds<BuiltOrder>

  constructor(options: BuildsOptions) {
    this.options = options
    const { now, randomBytes, randomUuid } = options
    this.inputs = { clock: { ...systemClock, now, steady: now, monotonic: now }, randomBytes, randomUuid }
    this.repeated = new RepeatedBuilds(randomUuid)
  }

  order(venue: string, body: Readonly<Record<string, unknown>>): BuiltOrder | Promise<BuiltOrder> {
    const key = keyOfBody(venue, body)
    return (key === null ? null : this.repeated.copy(key)) ?? this.first(venue, body, key)
  }

  private async first(venue: string, body: Readonly<Record<string, unknown>>, key: string | null): Promise<BuiltOrder> {
    const observed = observe(this.inputs)
    const built = await this.make(venue, body, observed.inputs)
    if (key === null) return built
    const kind = kindOfBody(venue, body)
    await this.repeated.learn({ key, kind }, built, observed, (inputs) => this.make(venue, body, inputs))
    return built
  }

  private async make(venue: string, body: Readonly<Record<string, unknown>>, inputs: BuildInputs): Promise<BuiltOrder> {
    const { dryRun: _, intent, ...rest } = body
    if (intent !== undefined && intent !== 'order')
      throw new Fault('NOT_SUPPORTED', 'a backtest builds orders; resolved positions are paid by themselves')
    const lane = this.options.lanes.get(venue)
    if (lane === undefined) return this.generic(venue, rest)
    checkSupportedOptions(lane, rest)
    const parsed = parseBody(lane.order.body, withoutVenuePrefix(venue, rest))
    try {
      return await this.byLane(lane, parsed, inputs)
    } catch (error) {
      if (!(error instanceof Fault) || !unread.has(error.code)) throw error
      return this.generic(venue, rest)
    }
  }

  /** New price and size of an order, as far as given. */
  change(order: OrderDetails, body: Readonly<Record<string, unknown>>): Pick<OrderDetails, 'price' | 'size'> {
    const { price, size } = body
    return {
      price: price === undefined ? order.price : priceOf(price),
      size: size === undefined ? order.size : sizeOf(size),
    }
  }

  private async byLane(lane: ExecutionAdapter, body: unknown, inputs: BuildInputs): Promise<BuiltOrder> {
    const context = this.contextOf(lane.slug)
    const { catalog, resolved } = memoized(context.catalog)
    const whole = { ...context, ...inputs, catalog }
    const facts = await lane.order.gatherFacts(whole, body)
    const built = lane.order.build(whole, body, facts)
    lane.checkBounds(built.unsigned, built.bounds)
    const summary = summaryOfBuilt(lane, 'order', built, resolved)
    return { ...this.builtOf(lane, built), summary, order: this.detailsOf(lane, built, summary) }
  }

  private builtOf(lane: ExecutionAdapter, built: Built) {
    const { unsigned, notionalUsd, feeEstimate, warnings, collateral } = built
    return {
      unsigned,
      buildVersion: lane.buildVersion,
      notionalUsd: notionalUsd === null ? null : Number(notionalUsd),
      feeEstimate,
      warnings,
      collateral,
    }
  }

  private detailsOf(lane: ExecutionAdapter, { terms }: Built, summary: Summary): OrderDetails {
    if (terms === null) throw new Fault('NOT_SUPPORTED', `${lane.slug}: the build has no terms to trade by`)
    const { market, outcome } = this.findOutcome(lane.slug, terms.outcomeId)
    const expiresAt = summary.expiresAt === null ? null : Date.parse(summary.expiresAt)
    return {
      ...this.fresh(market, outcome),
      isBuy: terms.isBuy,
      price: priceOf(terms.price),
      size: sizeOf(terms.size),
      timeInForce: times[summary.timeInForce ?? (expiresAt === null ? 'good-til-cancel' : 'good-til-date')],
      expiresAt,
      postOnly: summary.postOnly === true,
    }
  }

  private generic(venue: string, body: Readonly<Record<string, unknown>>): BuiltOrder {
    const parsed = parseBody(Generic, withoutVenuePrefix(venue, body))
    const { market, outcome } = this.select(venue, parsed)
    const { isBuy, type, expiresAt, postOnly = false, timeInForce } = parsed
    const price = parsed.price ?? parsed.worstPrice
    if (price === undefined) throw new Fault('VALIDATION_ERROR', 'price: is required')
    const expiresAtMs = expiresAt === undefined || expiresAt === 0 ? null : expiresAt * 1_000
    const byDefault = type === 'market' ? 'IOC' : expiresAtMs === null ? 'GTC' : 'GTD'
    const order = {
      ...this.fresh(market, outcome),
      ...{ isBuy, price: priceOf(price), size: sizeOf(parsed.size), expiresAt: expiresAtMs, postOnly },
      timeInForce: timeInForce === undefined ? byDefault : times[timeInForce],
    } satisfies OrderDetails
    return {
      order,
      unsigned: {
        backtest: true,
        outcomeId: outcome.outcomeId,
        isBuy,
        price: String(price),
        size: String(parsed.size),
        timeInForce: order.timeInForce,
        expiresAt: expiresAtMs,
        postOnly,
      },
      buildVersion: 1,
      notionalUsd: null,
      feeEstimate: null,
      warnings: ['built without the venue: the artifact has the generic form of a backtest'],
      collateral: undefined,
      summary: null,
    }
  }

  private fresh(market: BacktestMarket, outcome: BacktestMarket['outcomes'][number]) {
    return { market, outcome, ...unfilled }
  }

  private findOutcome(venue: string, outcomeId: string) {
    for (const market of this.options.markets) {
      const outcome = market.venue === venue ? market.outcomes.find((each) => each.outcomeId === outcomeId) : undefined
      if (outcome !== undefined) return { market, outcome }
    }
    throw new Fault('OUTCOME_NOT_FOUND', 'the backtest has no such outcome: name its market with --markets')
  }

  private select(venue: string, { asset, outcome, outcomeSide }: z.infer<typeof Selector>) {
    const id = asset ?? outcome
    if (id === undefined) throw new Fault('VALIDATION_ERROR', 'outcome: give outcome, or asset')
    if (outcomeSide === undefined) return this.findOutcome(venue, id)
    const market = this.options.markets.find((each) => each.venue === venue && each.market.marketId === id)
    const found = market?.outcomes[outcomeSide === 'YES' ? 0 : 1]
    if (market === undefined || found === undefined)
      throw new Fault('MARKET_NOT_FOUND', 'the backtest has no such market: name it with --markets')
    return { market, outcome: found }
  }

  private contextOf(venue: string): LaneContext {
    const found = this.contexts.get(venue)
    if (found !== undefined) return found
    const { markets, now, lanes } = this.options
    const rows = markets.filter((market) => market.venue === venue).map(({ market }) => tradable(market))
    const context: LaneContext = {
      http: { request: async () => unreadable() },
      sender: { send: async () => unreadable() },
      ...this.inputs,
      log: silentLog,
      urls: lanes.get(venue)!.urls,
      settings: {},
      signal: new AbortController().signal,
      catalog: createLaneCatalog(
        {
          findMarket: async (_venue, marketId) => rows.find((row) => row.marketId === marketId) ?? null,
          findOutcomes: async (_venue, outcomeId) =>
            rows.flatMap((market) =>
              market.outcomes
                .filter((outcome) => outcome.outcomeId === outcomeId)
                .map((outcome) => ({ venue, outcome, market, event: null, asOf: now() })),
            ) as never,
        },
        venue,
      ),
      heavy: async (work) => work(),
    }
    this.contexts.set(venue, context)
    return context
  }
}

/** As the lane found it then: a market that has resolved since took orders. */
const tradable = (market: Market): Market => ({ ...market, status: 'active' })

function priceOf(value: unknown): number {
  const units = unitsOf('price', value)
  if (units <= 0 || units >= 1_000_000) throw new Fault('VALIDATION_ERROR', 'price: must be between 0 and 1')
  return units
}

function sizeOf(value: unknown): number {
  const units = unitsOf('size', value)
  if (units <= 0) throw new Fault('VALIDATION_ERROR', 'size: must be above 0')
  return units
}

function unitsOf(name: string, value: unknown): number {
  const text = typeof value === 'string' || typeof value === 'number' ? readDecimal(value) : null
  if (text === null) throw new Fault('VALIDATION_ERROR', `${name}: must be a plain decimal`)
  try {
    const units = Number(toUnits(text, 6))
    if (Number.isSafeInteger(units)) return units
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new Fault('VALIDATION_ERROR', `${name}: has more than six decimals, or is too large`)
}
