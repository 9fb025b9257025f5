// An execution adapter against the lab of its venue: one clock for both, another trader, and the catalog as the venue's adapter reads it.

import { ASK } from '#lab/engine/book'
import type { EngineMarket, MarketTruth } from '#lab/engine/market'
import type { OrderManager, SimulatedOrder } from '#lab/engine/orderManager'
import { type Lab, startLab } from '#lab/lab'
import type { MarketFacts } from '#lab/marketFacts'
import type { LabVenue } from '#lab/venues'
import type { Market } from '#schemas/market'
import { createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import type { Built, ExecutionAdapter, LaneExecution, Observation, RelayOutcome } from '#venues/lane'
import { type LaneVenue, registry } from '#venues/registry'
import { isOwnOrder, ownOrderObservation } from '#venues/shared/exec/checkOrderId'
import type { LaneCase } from './cases/laneCase.ts'
import { laneFacts } from './venueCases.ts'

export interface LaneLab<V extends LaneVenue> {
  world: LaneWorld
  lab: Lab[V]
  /** An open market, its YES outcome and its best YES prices, micros. */
  facts: MarketFacts
  market: EngineMarket
  bid: number
  ask: number
  /** Another trader fills resting orders: sells into bids or buys asks, this many contracts. */
  trade(side: 'sell' | 'buy', priceMicros: number, contracts: number): void
  /** Whole contracts: a few more than are offered at the best YES ask. */
  moreThanOffered(): number
  /** The venue removes an order by itself. */
  withdraw(order: SimulatedOrder): void
  /** The same, because the order has expired. */
  expire(order: SimulatedOrder): void
  close(): Promise<void>
}

type Takes = LaneCase<LaneVenue>['takes']

/** `where` selects suitable markets; `takes`, by default, those whose orders the venue's build accepts. */
export async function createLaneLab<V extends LaneVenue>(
  venue: V,
  where: (facts: MarketFacts, truth: MarketTruth) => boolean = () => true,
  { takes = laneFacts[venue].lane.takes, markets = 12 }: { takes?: Takes; markets?: number } = {},
): Promise<LaneLab<V>> {
  const world = await createLaneWorld(venue, [])
  const started = await startLab({ clock: world.clock, seed: 'lane', venues: [venue], ratePerSecond: 0, markets })
  const lab = started[venue]
  const { engine, settings = {} } = lab as LabVenue
  const laneCase = laneFacts[venue].lane
  const all = await catalogOf(venue, started, world)
  const book = (lab as { book(id: string): MarketTruth | null }).book
  const facts = all.find((row) => {
    const truth = row.status === 'active' ? book(laneCase.bookId(row)) : null
    if (truth === null || takes?.(truth, row) === false) return false
    return truth.bids[0]![0] > 250_000 && truth.bids[0]![0] < 750_000 && where(row, truth)
  })!
  const id = laneCase.bookId(facts)
  const truth = book(id)!
  const orderManager: OrderManager = engine.orderManager
  const market = engine.market(laneCase.marketKey(lab, id))!
  return {
    world: { ...world, context: { ...world.context, urls: lab.urls, settings } },
    lab,
    facts,
    market,
    bid: truth.bids[0]![0],
    ask: truth.asks[0]![0],
    trade(side, priceMicros, contracts) {
      const placed = orderManager.place(market, {
        account: 'another trader',
        side: side === 'sell' ? 1 : 0,
        priceMicros,
        hundredths: contracts * 100,
        clientId: null,
        life: 'ioc',
      })
      if (typeof placed === 'string' || placed.filledHundredths !== contracts * 100)
        throw new Error('no orders to fill')
    },
    moreThanOffered: () => Math.ceil(market.book.at(ASK, market.book.bestAsk) / 100) + 5,
    withdraw(order) {
      orderManager.cancel(order)
    },
    expire(order) {
      orderManager.expire(order)
    },
    async close() {
      await started.stop()
      await world.close()
    },
  }
}

/** Writes the binary markets to the world's catalog, and returns them. */
async function catalogOf(venue: LaneVenue, lab: Lab, world: LaneWorld): Promise<MarketFacts[]> {
  const { clock, http, log, signal } = world.context
  const { credentialNames } = registry[venue]
  const issued: Readonly<Record<string, string>> = (lab[venue] as LabVenue).credentials ?? {}
  const isKeyed = credentialNames.every((name) => issued[name] !== undefined)
  const context = { venue, clock, http, log, signal, urls: lab[venue].urls, credentials: isKeyed ? issued : null }
  const facts: MarketFacts[] = []
  for await (const { events } of registry[venue].data.walkCatalog(context, { updatedSinceMs: null })) {
    for (const market of events.flatMap((event) => event.markets)) {
      const found = factsOf(market)
      if (found === null) continue
      world.outcomes.push(
        ...market.outcomes.map((outcome, i) => ({
          market,
          outcome,
          side: i === 0 ? ('YES' as const) : ('NO' as const),
        })),
      )
      facts.push(found)
    }
  }
  return facts
}

function factsOf({ marketId, title, outcomes, tickSize, status, sourceMetadata }: Market): MarketFacts | null {
  const [yes, no] = outcomes
  if (yes === undefined || no === undefined || outcomes.length !== 2) return null
  const known = status === 'active' || status === 'resolved' ? status : 'closed'
  return {
    marketId,
    title,
    outcomeIds: [yes.outcomeId, no.outcomeId],
    tickSize,
    status: known,
    sourceMetadata: sourceMetadata ?? {},
  }
}

/** An execution as the core would carry it on: what was sent, and under which name. */
export interface Sent {
  execution: LaneExecution
  outcome: RelayOutcome
}

export async function send(
  lane: ExecutionAdapter,
  { context }: LaneWorld,
  built: Built,
  credentials: unknown,
  intent: LaneExecution['intent'] = 'order',
  target: LaneExecution | null = null,
): Promise<Sent> {
  lane.checkBounds(built.unsigned, built.bounds)
  const createdAt = context.clock.now()
  const before = executionOf(built, { createdAt, statusSince: createdAt, target }, intent)
  const { prepared, outcome: relayed } = await submit(lane, context, before, credentials)
  const outcome = isOwnOrder(relayed, prepared)
  const venueRef = (outcome.kind === 'accepted' ? outcome.venueRef : null) ?? prepared.venueRef
  const status = outcome.kind === 'accepted' ? outcome.status : 'submitted'
  return {
    execution: {
      ...before,
      status,
      statusSince: context.clock.now(),
      venueRef,
      submittedArtifact: prepared.submittedArtifact,
    },
    outcome,
  }
}

/** Of a refresh. */
export const readBody = <C>({ refresh }: ExecutionAdapter, credentials: C): C | Record<string, never> =>
  refresh!.credentialFree ? {} : credentials

/** Also keeps on the execution what the core keeps of a refresh: since when the order is missing, and how much of it was ever matched. */
export async function refresh(
  lane: ExecutionAdapter,
  { context }: LaneWorld,
  execution: LaneExecution,
  credentials: unknown,
  canceledAt: number | null = null,
): Promise<Observation> {
  const requestedAt = context.clock.now()
  const body = lane.refresh!.body.parse(readBody(lane, credentials))
  const request = [context, execution, body as never] as const
  const observed = await lane.refresh!.read(...request, undefined, undefined, async () => canceledAt)
  const read = ownOrderObservation(observed, execution.venueRef)
  const order = (execution.intent === 'cancel' ? execution.target : null) ?? execution
  if (read.shown !== undefined) order.missingSince = read.shown ? null : (order.missingSince ?? requestedAt)
  if (Number(read.matchedSize ?? 0) > Number(order.matchedSize ?? 0)) order.matchedSize = read.matchedSize!
  return read
}
