// One market gone wild: 50,000 messages a second. Its readers get the newest book, not a queue; other markets go on; memory does not grow.
// Venue, program and readers share this process, so the venue sends as many of the 50,000 as the machine lets it make.
import { expect, it } from 'vitest'
import { RawSocket } from '#test/src/gateway/support'
import { eventually, levelsOf, levelsOfTruth, type StreamFrame, type WireBook } from '#test/support/cluster/client'
import { truthOf } from '#test/support/cluster/labTruth'
import { isLong, withEngine } from '#test/support/engine'
import { expectUncrossed } from './drivenMarket.ts'

const ratePerSecond = 50_000
const durationMs = isLong ? 60_000 : 4_000
const readersOfFlood = isLong ? 100 : 20
/** Of the whole process: lab, program and readers. */
const grownMax = 400 * 1024 * 1024

const engine = withEngine()

/** Keeps the newest frame only: what readers remember would be this test's memory, not the program's. */
class Reader {
  readonly venue: string
  readonly market: string
  readonly socket: RawSocket
  seen = 0
  private latest: StreamFrame | null = null

  private constructor(venue: string, market: string) {
    this.venue = venue
    this.market = market
    this.socket = new RawSocket(Number(new URL(engine.served.stream).port), [
      `Authorization: Bearer ${engine.served.apiKey}`,
    ])
  }

  static async open(venue: string, market: string): Promise<Reader> {
    const reader = new Reader(venue, market)
    await reader.socket.upgraded()
    reader.socket.say({ op: 'subscribe', channel: 'orderbook', venue, marketId: market })
    await eventually(() => expect(reader.look()?.data).toBeDefined())
    return reader
  }

  /** The newest frame; every frame looked at must be an uncrossed book. */
  look(): StreamFrame | null {
    const frames = this.socket.frames.splice(0)
    if (frames.length > 0) {
      this.seen += frames.length
      this.latest = JSON.parse(frames.at(-1)!) as StreamFrame
      expectUncrossed([this.latest], 'engine')
    }
    return this.latest
  }
}

it.each(['kalshi', 'polymarket'] as const)(
  `%s: after ${durationMs / 1000} s of flood every reader has the venue’s last book`,
  async (venue) => {
    const { lab } = engine
    const market = engine.fresh(venue)
    const other = engine.fresh(venue)
    const readers: Reader[] = []
    try {
      const neighbour = await Reader.open(venue, other)
      readers.push(neighbour)
      for (let n = 0; n < readersOfFlood; n++) readers.push(await Reader.open(venue, market))
      const rssBefore = process.memoryUsage().rss
      const made = lab[venue].engine.steps
      let rssPeak = rssBefore
      let ended = false
      lab[venue].faults.burst({ market, ratePerSecond, durationMs })
      const end = setTimeout(() => {
        ended = true
      }, durationMs)
      while (!ended) {
        // By itself the neighbour moves four times a second: it goes on being heard of.
        const { seen } = neighbour
        await eventually(() => {
          for (const reader of readers) reader.look()
          rssPeak = Math.max(rssPeak, process.memoryUsage().rss)
          expect(neighbour.seen).toBeGreaterThan(seen)
        })
      }
      clearTimeout(end)
      expect(lab[venue].engine.steps - made, 'messages made').toBeGreaterThan((ratePerSecond * durationMs) / 20_000)
      lab[venue].engine.paused = true
      for (const reader of readers) {
        await eventually(() =>
          expect(levelsOf(reader.look()!.data as WireBook)).toBe(levelsOfTruth(truthOf(lab, venue, reader.market)!)),
        )
        expect(reader.socket.closed).toBe(false)
      }
      expect(rssPeak - rssBefore, 'RSS grown').toBeLessThan(grownMax)
      expect(lab[venue].counters().slowDisconnects).toBe(0)
    } finally {
      lab[venue].engine.paused = false
      for (const { socket } of readers) socket.tcp.destroy()
    }
  },
  durationMs + 60_000,
)
