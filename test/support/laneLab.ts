// A lane against the lab of its venue: one clock for both, the lab's own facts as the catalog, and somebody else who trades.
import type { OrderDesk } from '#lab/engine/desk'
import type { Engine } from '#lab/engine/engine'
import type { EngineMarket, MarketTruth } from '#lab/engine/market'
import { type Lab, type LabVenueName, startLab } from '#lab/lab'
import type { MarketFacts } from '#lab/marketFacts'
import { binaryMarket, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import type { Built, Lane, LaneExecution, Observation, RelayOutcome } from '#venues/lane'

type Venue = Exclude<LabVenueName, 'polymarket' | 'kalshi'>

export interface LaneLab<V extends Venue> {
  world: LaneWorld
  lab: Lab[V]
  /** An open market, its YES outcome and its best YES prices, micros. */
  facts: MarketFacts
  market: EngineMarket
  bid: number
  ask: number
  /** Somebody else meets what rests: sells into bids or buys asks, so many contracts. */
  trade(side: 'sell' | 'buy', priceMicros: number, contracts: number): void
  close(): Promise<void>
}

export async function createLaneLab<V extends Venue>(venue: V): Promise<LaneLab<V>> {
  const world = await createLaneWorld(venue, [])
  const started = await startLab({ clock: world.clock, seed: 'lane', venues: [venue], ratePerSecond: 0, markets: 12 })
  const lab = started[venue]
  const { engine, catalogMarkets } = lab as { engine: Engine; catalogMarkets(): MarketFacts[] }
  const all = catalogMarkets()
  for (const { marketId, outcomeIds, tickSize, status, sourceMetadata } of all) {
    world.outcomes.push(
      ...binaryMarket(venue, marketId, outcomeIds, { tickSize, status, sourceMetadata: { ...sourceMetadata } }),
    )
  }
  const book = (lab as { book(id: string): MarketTruth | null }).book
  const bookIdOf = ({ marketId, outcomeIds }: MarketFacts) => (venue === 'hyperliquid' ? outcomeIds[0] : marketId)
  const facts = all.find((row) => {
    const truth = row.status === 'active' ? book(bookIdOf(row)) : null
    return truth !== null && truth.bids[0]![0] > 250_000 && truth.bids[0]![0] < 750_000
  })!
  const truth = book(bookIdOf(facts))!
  const desk: OrderDesk = engine.desk
  const market = engine.market(keyOf(venue, started, facts))!
  return {
    world: { ...world, context: { ...world.context, urls: lab.urls } },
    lab,
    facts,
    market,
    bid: truth.bids[0]![0],
    ask: truth.asks[0]![0],
    trade(side, priceMicros, contracts) {
      const placed = desk.place(market, {
        account: 'somebody else',
        side: side === 'sell' ? 1 : 0,
        priceMicros,
        hundredths: contracts * 100,
        clientId: null,
        life: 'ioc',
      })
      if (typeof placed === 'string' || placed.filledHundredths !== contracts * 100) throw new Error('nothing to meet')
    },
    async close() {
      await started.stop()
      await world.close()
    },
  }
}

function keyOf(venue: Venue, lab: Lab, { marketId }: MarketFacts): string {
  if (venue === 'gemini') return lab.gemini.listing.bySymbol.get(marketId)!.key
  if (venue === 'polymarket_us') return lab.polymarket_us.listing.bySlug.get(marketId)!.key
  return lab.hyperliquid.listing.byOutcome.get(Number(marketId))!.key
}

/** An execution as the core would carry it on: what was sent, and under which name. */
export interface Sent {
  execution: LaneExecution
  outcome: RelayOutcome
}

export async function send(
  lane: Lane,
  { context, clock }: LaneWorld,
  built: Built,
  credentials: unknown,
  intent: LaneExecution['intent'] = 'order',
): Promise<Sent> {
  lane.checkBounds(built.unsigned, built.bounds)
  const before = executionOf(built, { createdAt: clock.now() }, intent)
  const { prepared, outcome } = await submit(lane, context, before, credentials)
  const venueRef = (outcome.kind === 'accepted' ? outcome.venueRef : null) ?? prepared.venueRef
  const status = outcome.kind === 'accepted' ? outcome.status : 'submitted'
  return { execution: { ...before, status, venueRef, submittedArtifact: prepared.submittedArtifact }, outcome }
}

export const refresh = (
  lane: Lane,
  { context }: LaneWorld,
  execution: LaneExecution,
  credentials: unknown,
): Promise<Observation> => lane.refresh!.read(context, execution, lane.refresh!.body.parse(credentials) as never)
