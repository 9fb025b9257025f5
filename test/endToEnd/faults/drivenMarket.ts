// A simulated market whose every move a test makes itself, and the list of all books it ever had: a served book must be one of them, and a
// later one never an earlier one. A book built across a lost change is not in the list.
import { expect } from 'vitest'
import { BID } from '#lab/engine/book'
import type { Engine as LabEngine } from '#lab/engine/engine'
import type { Lab } from '#lab/lab'
import { createPrng, type Prng } from '#lab/prng'
import {
  eventually,
  levelsOf,
  levelsOfTruth,
  type StreamClient,
  type StreamFrame,
  type WireBook,
} from '#test/support/cluster/client'
import { truthOf } from '#test/support/cluster/labTruth'
import { type Engine, type EngineVenue, seedOf, watching } from '#test/support/engine'

export class DrivenMarket {
  readonly venue: EngineVenue
  readonly id: string
  readonly seed: string
  readonly random: Prng
  private readonly lab: Lab
  private readonly key: string
  /** Text of a book → every position it has in the market's history. */
  private readonly places = new Map<string, number[]>()
  private states = 0

  constructor(lab: Lab, venue: EngineVenue, id: string, seed: string) {
    this.lab = lab
    this.venue = venue
    this.id = id
    this.seed = `${seed}/${venue}`
    this.random = createPrng(this.seed)
    const key =
      venue === 'kalshi' ? lab.kalshi.listing.byTicker.get(id)?.key : lab.polymarket.listing.byToken.get(id)?.market.key
    if (key === undefined) throw new Error(`the lab has no market ${id}`)
    this.key = key
    this.engine.market(key)!.ratePerSecond = 0
    this.note()
  }

  get engine(): LabEngine {
    return this.lab[this.venue].engine
  }

  get faults() {
    return this.lab[this.venue].faults
  }

  truth(): string {
    return levelsOfTruth(truthOf(this.lab, this.venue, this.id)!)
  }

  levels(): number {
    const { bids, asks } = truthOf(this.lab, this.venue, this.id)!
    return bids.length + asks.length
  }

  /** Changes in bursts of one to five; the program may run between them. */
  async move(changes: number): Promise<void> {
    for (let left = changes; left > 0; ) {
      const burst = Math.min(left, 1 + this.random.int(5))
      for (let n = 0; n < burst; n++) this.step()
      left -= burst
      await turn()
    }
  }

  /** Changes of which no two share a millisecond, for a venue that orders them by time alone. */
  async moveApart(changes: number): Promise<void> {
    for (let n = 0; n < changes; n++) {
      const before = Date.now()
      this.step()
      while (Date.now() === before) await turn()
    }
  }

  /** A recognisable change: gives the best bid a size that no other level has. */
  sizeBestBid(size: number): void {
    const [best] = truthOf(this.lab, this.venue, this.id)!.bids
    if (best === undefined) throw new Error(`seed ${this.seed}: no bid to size`)
    this.engine.setLevel(this.key, BID, best[0], size)
    this.note()
  }

  /** The venue removes its best bid and that frame is lost; the next one names a best price that no reader has. */
  loseBestBid(): void {
    const [best, second] = truthOf(this.lab, this.venue, this.id)!.bids
    if (best === undefined || second === undefined) throw new Error(`seed ${this.seed}: too few bids to lose one`)
    this.faults.gap({ market: this.id, drop: 1 })
    for (const [[price], size] of [
      [best, 0],
      [second, second[1] + 1],
    ] as const) {
      this.engine.setLevel(this.key, BID, price, size)
      this.note()
    }
  }

  /** The venue resizes its worst bid and that frame is lost: no best price ever reveals it. */
  loseWorstBid(): void {
    const worst = truthOf(this.lab, this.venue, this.id)!.bids.at(-1)
    if (worst === undefined) throw new Error(`seed ${this.seed}: no bid to resize`)
    this.faults.gap({ market: this.id, drop: 1 })
    this.engine.setLevel(this.key, BID, worst[0], worst[1] + 1)
    this.note()
  }

  /** The market has changed without a message. */
  note(): void {
    const text = this.truth()
    const places = this.places.get(text)
    if (places === undefined) this.places.set(text, [this.states])
    else places.push(this.states)
    this.states++
  }

  /** The newest book of a subscriber equals the venue's current one. */
  converges(client: StreamClient): Promise<void> {
    return client.converges(this.venue, this.id, () => truthOf(this.lab, this.venue, this.id)!)
  }

  /** Every book the subscriber was sent is one the venue had, none older than one sent before it. */
  expectTrue(client: StreamClient): void {
    let at = 0
    for (const frame of books(client.of(this.venue, this.id))) {
      const text = levelsOf(frame.data as WireBook)
      const place = this.places.get(text)?.find((one) => one >= at)
      const last = this.places.get(text)?.at(-1)
      expect(
        place,
        `seed ${this.seed}: ${last === undefined ? 'a book the venue never had' : `went back from ${at} to ${last}`}: ${text}`,
      ).toBeDefined()
      at = place!
    }
  }

  private step(): void {
    this.engine.run(this.key, 1)
    this.note()
  }
}

/** A manually driven market and a second one, each with a subscriber that has seen it live, the first one up to date. */
export async function withNeighbour(
  engine: Engine,
  venue: EngineVenue,
  name: string,
  play: (given: { market: DrivenMarket; client: StreamClient; neighbour: StreamClient }) => Promise<void>,
): Promise<void> {
  const market = new DrivenMarket(engine.lab, venue, engine.fresh(venue), seedOf(name))
  const client = await watching(engine, venue, market.id)
  const neighbour = await watching(engine, venue, engine.fresh(venue))
  try {
    await market.move(20)
    await market.converges(client)
    await play({ market, client, neighbour })
  } finally {
    client.close()
    neighbour.close()
  }
}

/** The first notice after `mark`. */
export async function noticed(client: StreamClient, mark: number, withinMs: number): Promise<StreamFrame> {
  await eventually(() => {
    client.mark()
    expect(notices(client.frames.slice(mark))).not.toEqual([])
  }, withinMs)
  return notices(client.frames.slice(mark))[0]!
}

export const books = (frames: readonly StreamFrame[]): StreamFrame[] =>
  frames.filter(({ type }) => type === 'snapshot' || type === 'update')

export const notices = (frames: readonly StreamFrame[]): StreamFrame[] =>
  frames.filter(({ type, message }) => type === 'error' && message?.startsWith('book is stale'))

export function expectUncrossed(frames: readonly StreamFrame[], seed: string): void {
  for (const { data } of books(frames)) {
    const { bids, asks } = data as WireBook
    if (bids.length > 0 && asks.length > 0) expect(bids[0]!.price, `seed ${seed}`).toBeLessThan(asks[0]!.price)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
