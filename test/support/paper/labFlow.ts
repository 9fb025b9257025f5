// Tapes of the labs' matching engine: a market in which every order belongs to a client, so that price-time priority decides every fill.
// The flow is drawn before and does not depend on the book. The same flow is played twice: without the probes, which gives the tape that a
// paper trader sees, and with them, which gives their outcomes. A probe has the smallest size, so that it hardly changes the rest.
import { ASK, BID, type Side } from '#lab/engine/book'
import { EngineMarket, type MarketListener } from '#lab/engine/market'
import { OrderManager, type SimulatedOrder } from '#lab/engine/orderManager'
import { createPrng, type Prng } from '#lab/prng'
import type { PaperOrderRequest } from '#paper/model/index'
import { type EvaluationTape, noFill, type Outcome, type Probe, type TapeEvent, withFill } from './tape.ts'

export interface FlowOptions {
  name: string
  seed: string
  minutes: number
  /** New orders per second. */
  ordersPerSecond: number
  /** Share of them that take. */
  takers: number
  /** Mean lifetime of a resting order. */
  lifetimeMs: number
  /** One probe this often. */
  probeEveryMs: number
  /** Trades are received up to this much later than the book that reflects them; 0: just before it. */
  tradesLateMs: number
  /** Latency of probes' requests, log-normal. */
  latencyMedianMs: number
  latencySigma: number
}

interface FlowStep {
  at: number
  id: number
  kind: 'place' | 'take' | 'cancel'
  side: Side
  priceMicros: number
  hundredths: number
}

const startMs = 1_800_000_000_000
/** The flow alone fills the book during this time. */
const warmUpMs = 60_000
const tickMicros = 10_000
const probeHundredths = 1
const probesPerTaker = 5
const millionthsPerHundredth = 10_000

/** All actions in the order of their time. */
function drawFlow(options: FlowOptions): FlowStep[] {
  const random = createPrng(`${options.seed} flow`)
  const steps: FlowStep[] = []
  let fair = 500_000
  let at = startMs
  for (let id = 1; ; id++) {
    const wait = exponential(random, 1_000 / options.ordersPerSecond)
    at += wait
    if (at >= startMs + options.minutes * 60_000) break
    fair += normal(random) * 2_500 * Math.sqrt(wait / 1_000)
    fair = Math.min(850_000, Math.max(150_000, fair))
    const side: Side = random.chance(0.5) ? BID : ASK
    const sign = side === BID ? -1 : 1
    const hundredths = random.chance(0.6) ? (1 + random.int(25)) * 1_000 : 100 + random.int(40_000)
    const time = Math.floor(at)
    if (random.chance(options.takers)) {
      steps.push({ at: time, id, kind: 'take', side, priceMicros: side === BID ? 990_000 : 10_000, hundredths })
      continue
    }
    const ticks = Math.round(fair / tickMicros + sign * (0.6 + exponential(random, 1.6)))
    const priceMicros = Math.min(99, Math.max(1, ticks)) * tickMicros
    steps.push({ at: time, id, kind: 'place', side, priceMicros, hundredths })
    const endsAt = Math.floor(at + exponential(random, options.lifetimeMs))
    steps.push({ at: endsAt, id, kind: 'cancel', side, priceMicros, hundredths })
  }
  return steps.sort((a, b) => a.at - b.at || a.id - b.id)
}

/** One run of the engine. */
function createWorld(seed: string, listener: Partial<MarketListener>) {
  let now = startMs
  const full: MarketListener = { level: ignore, trade: ignore, flush: ignore, ...listener }
  const manager = new OrderManager({ nowMs: () => now, listener: full })
  const market = new EngineMarket({
    id: 'market',
    seed,
    grid: 'cent',
    anchorMicros: 500_000,
    ratePerSecond: 0,
    nowMs: startMs,
    status: 'open',
    result: null,
    recordedId: 'market',
  })
  market.resting = manager
  const placed = new Map<number, SimulatedOrder>()
  const place = (account: string, side: Side, priceMicros: number, hundredths: number, life: 'gtc' | 'ioc') => {
    const order = manager.place(market, { account, side, priceMicros, hundredths, life, clientId: null })
    if (typeof order === 'string') throw new Error(`the engine refused an order: ${order}`)
    return order
  }
  return {
    market,
    now: () => now,
    setTime: (at: number) => {
      now = at
    },
    place,
    cancel: (order: SimulatedOrder) => manager.cancel(order),
    run(step: FlowStep): void {
      now = step.at
      const { id, kind, side, priceMicros, hundredths } = step
      if (kind === 'take') place('flow', side, priceMicros, hundredths, 'ioc')
      else if (kind === 'place') placed.set(id, place('flow', side, priceMicros, hundredths, 'gtc'))
      else {
        const order = placed.get(id)
        if (order !== undefined) manager.cancel(order)
        placed.delete(id)
      }
    },
  }
}

export function labTape(options: FlowOptions): EvaluationTape {
  const flow = drawFlow(options)
  const { events, probes, takers, takerTruth } = record(flow, options)
  const truth = new Map([...truthOf(flow, probes, options), ...takerTruth])
  return { name: options.name, events, probes, takers, truth }
}

function record(flow: readonly FlowStep[], options: FlowOptions) {
  const random = createPrng(`${options.seed} probes`)
  const takers: { probe: Probe; arrivesAt: number }[] = []
  const takerTruth = new Map<string, Outcome>()
  const { tradesLateMs } = options
  const events: { at: number; order: number; event: TapeEvent }[] = []
  const probes: Probe[] = []
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([price, size]) => [price, Math.round(size * 100) * millionthsPerHundredth] as const)
  let order = 0
  const add = (at: number, event: TapeEvent) => events.push({ at, order: order++, event })
  const trades: TapeEvent[] = []
  const world: ReturnType<typeof createWorld> = createWorld(options.seed, {
    trade: (_, { ordinal, priceMicros, size, takerBuysYes, atMs }) => {
      const takerSide = takerBuysYes ? 'buy' : 'sell'
      const units = Math.round(size * 100) * millionthsPerHundredth
      trades.push({ kind: 'trade', trade: { id: `${ordinal}`, at: atMs, price: priceMicros, size: units, takerSide } })
    },
    flush: (market) => {
      const at = world.now()
      for (const trade of trades.splice(0)) {
        const late = tradesLateMs === 0 ? 0 : 1 + random.int(tradesLateMs)
        if (trade.kind === 'trade') trade.trade.at = at + late
        add(at + late, trade)
      }
      const { bids, asks } = market.truth()
      add(at, { kind: 'book', book: { seq: order, at, isLive: true, bids: side(bids), asks: side(asks) } })
    },
  })
  let nextProbeAt = startMs + warmUpMs
  for (const step of flow) {
    for (; nextProbeAt <= step.at; nextProbeAt += options.probeEveryMs) {
      const probe = drawProbe(random, world.market, probes.length, nextProbeAt)
      if (probe !== null) probes.push(probe)
      if (probes.length % probesPerTaker !== 0) continue
      const latency = options.latencyMedianMs * Math.exp(options.latencySigma * normal(random))
      const taker = drawTaker(random, takers.length, nextProbeAt)
      takers.push({ probe: taker, arrivesAt: nextProbeAt + Math.round(latency) })
    }
    for (const { probe, arrivesAt } of takers)
      if (arrivesAt < step.at && !takerTruth.has(probe.order.id))
        takerTruth.set(probe.order.id, walk(world.market, probe.order, arrivesAt))
    world.run(step)
  }
  events.sort((a, b) => a.at - b.at || a.order - b.order)
  return { events: events.map(({ event }) => event), probes, takers: takers.map(({ probe }) => probe), takerTruth }
}

/** Most join the best price, some wait behind it, some improve it. Null: a side is empty. */
function drawProbe(random: Prng, market: EngineMarket, n: number, placedAt: number): Probe | null {
  const { book } = market
  const isBuy = random.chance(0.5)
  const kind = random.next()
  const lifetimeMs = 2_000 + exponential(random, 20_000)
  const best = isBuy ? book.bestBid : book.bestAsk
  if (book.bestBid < 0 || book.bestAsk >= book.grid.prices.length) return null
  const inward = isBuy ? 1 : -1
  const spread = book.bestAsk - book.bestBid
  const steps = kind < 0.55 ? 0 : kind < 0.85 ? -1 - random.int(2) : spread > 1 ? 1 : 0
  const price = book.grid.prices[best + inward * steps]
  if (price === undefined) return null
  return {
    order: {
      id: `probe-${n}`,
      side: isBuy ? 'buy' : 'sell',
      price,
      size: probeHundredths * millionthsPerHundredth,
      timeInForce: 'GTC',
      expiresAt: null,
      postOnly: false,
    },
    placedAt,
    endsAt: placedAt + Math.floor(lifetimeMs),
  }
}

function drawTaker(random: Prng, n: number, placedAt: number): Probe {
  const isBuy = random.chance(0.5)
  const size = (1 + random.int(1_500)) * 100 * millionthsPerHundredth
  const price = isBuy ? 990_000 : 10_000
  const rest = { timeInForce: 'IOC', expiresAt: null, postOnly: false } as const
  const order = { id: `taker-${n}`, side: isBuy ? 'buy' : 'sell', price, size, ...rest } as const
  return { order, placedAt, endsAt: placedAt + 60_000 }
}

/** What an order that takes now gets from the engine's book, which it leaves as it is. */
function walk(market: EngineMarket, { side, size }: PaperOrderRequest, at: number): Outcome {
  const { bids, asks } = market.truth()
  let outcome = noFill
  for (const [price, contracts] of side === 'buy' ? asks : bids) {
    const part = Math.min(size - outcome.filled, Math.round(contracts * 100) * millionthsPerHundredth)
    if (part > 0) outcome = withFill(outcome, at, price, part)
  }
  return outcome
}

function truthOf(flow: readonly FlowStep[], probes: readonly Probe[], options: FlowOptions): Map<string, Outcome> {
  const random = createPrng(`${options.seed} latency`)
  const latency = () => Math.round(options.latencyMedianMs * Math.exp(options.latencySigma * normal(random)))
  const actions = probes
    .flatMap((probe) => {
      const placedAt = probe.placedAt + latency()
      return [
        { at: placedAt, probe, isCancel: false },
        { at: Math.max(placedAt, probe.endsAt + latency()), probe, isCancel: true },
      ]
    })
    .sort((a, b) => a.at - b.at)
  const world = createWorld(options.seed, {})
  const orders = new Map<Probe, SimulatedOrder>()
  let next = 0
  const act = (until: number) => {
    for (; next < actions.length && actions[next]!.at < until; next++) {
      const { at, probe, isCancel } = actions[next]!
      world.setTime(at)
      const order = orders.get(probe)
      if (isCancel && order !== undefined) world.cancel(order)
      else if (!isCancel) {
        const { side, price } = probe.order
        orders.set(probe, world.place('probe', side === 'buy' ? BID : ASK, price, probeHundredths, 'gtc'))
      }
    }
  }
  for (const step of flow) {
    act(step.at)
    world.run(step)
  }
  act(Number.POSITIVE_INFINITY)
  return new Map(
    probes.map((probe) => {
      const fills = orders.get(probe)?.fills ?? []
      return [
        probe.order.id,
        fills.reduce(
          (outcome, { atMs, priceMicros, hundredths }) =>
            withFill(outcome, atMs, priceMicros, hundredths * millionthsPerHundredth),
          noFill,
        ),
      ]
    }),
  )
}

const exponential = (random: Prng, mean: number): number => -Math.log(1 - random.next()) * mean

const normal = (random: Prng): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

const ignore = (): void => undefined
