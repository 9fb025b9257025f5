// A user of Crossbook in tests: HTTP by fetch, the stream by a plain socket whose frames it parses.
import { expect, vi } from 'vitest'
import type { MarketTruth } from '#lab/engine/market'
import { RawSocket } from '#test/src/server/gateway/support'
import { heldFrame } from '#test/support/heldFrames'

export interface Served {
  url: string
  stream: string
  apiKey: string
}

export interface Reply {
  status: number
  // Responses are read field by field; a wrong shape fails the expectation that reads it.
  body: Record<string, unknown> & {
    data?: unknown
    error?: { code: string; message: string; retryable: boolean; requestId: string }
  }
  text: string
  ms: number
}

/** No request of a test takes longer on the slowest machine. */
const askDeadlineMs = 20_000

export async function ask({ url, apiKey }: Served, path: string): Promise<Reply> {
  const startedAt = performance.now()
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(askDeadlineMs),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json')
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as Reply['body']) : {},
    text,
    ms: performance.now() - startedAt,
  }
}

export interface WireBook {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
  timestamp: number
}

export interface StreamFrame {
  type: string
  channel?: string
  venue?: string
  marketId?: string
  code?: string
  message?: string
  data?: unknown
}

/** Levels as text, best first, so that two books compare and a difference can be read. */
export const levelsOf = ({ bids, asks }: Pick<WireBook, 'bids' | 'asks'>): string =>
  [bids, asks]
    .map((side) => side.map(({ price, size }) => `${price.toFixed(6)}x${size.toFixed(4)}`).join(' '))
    .join(' | ')

export const levelsOfTruth = ({ bids, asks }: MarketTruth): string =>
  levelsOf({
    bids: bids.map(([micros, size]) => ({ price: micros / 1e6, size })),
    asks: asks.map(([micros, size]) => ({ price: micros / 1e6, size })),
  })

const waiting = { timeout: 20_000, interval: 20 }

/** Waits for a condition of the running system. */
export const eventually = <T>(look: () => T | Promise<T>, timeout = waiting.timeout): Promise<T> =>
  vi.waitFor(look, { ...waiting, timeout })

export class StreamClient {
  readonly frames: StreamFrame[] = []
  private readonly socket: RawSocket
  private read = 0

  private constructor(socket: RawSocket) {
    this.socket = socket
  }

  static async open({ stream, apiKey }: Served): Promise<StreamClient> {
    const socket = new RawSocket(Number(new URL(stream).port), [`Authorization: Bearer ${apiKey}`])
    await socket.upgraded()
    return new StreamClient(socket)
  }

  subscribe(venue: string, marketId: string, channel: 'orderbook' | 'trades' = 'orderbook'): void {
    this.socket.send({ op: 'subscribe', channel, venue, marketId })
  }

  unsubscribe(venue: string, marketId: string, channel: 'orderbook' | 'trades' = 'orderbook'): void {
    this.socket.send({ op: 'unsubscribe', channel, venue, marketId })
  }

  send(op: object): void {
    this.socket.send(op)
  }

  /** Everything received of one market, in order. */
  of(venue: string, marketId: string): StreamFrame[] {
    this.take()
    return this.frames.filter((frame) => frame.venue === venue && frame.marketId === marketId)
  }

  /** The newest book of a market, null when none came. */
  book(venue: string, marketId: string): WireBook | null {
    const isBook = ({ type }: StreamFrame): boolean => type === 'snapshot' || type === 'update'
    return (this.of(venue, marketId).findLast(isBook)?.data as WireBook | undefined) ?? null
  }

  /** The newest book equals what the venue itself has now. */
  async converges(venue: string, marketId: string, truth: () => MarketTruth | null): Promise<void> {
    await eventually(() => {
      const book = this.book(venue, marketId)
      expect(book, `no book of ${venue} ${marketId}: ${this.tail()}`).not.toBeNull()
      expect(levelsOf(book!)).toBe(levelsOfTruth(truth()!))
    })
  }

  async frame(fits: (frame: StreamFrame) => boolean, from = 0): Promise<StreamFrame> {
    return eventually(() => {
      this.take()
      const found = this.frames.slice(from).find(fits)
      expect(found, `among ${this.tail()}`).toBeDefined()
      return found!
    })
  }

  /** Waits for a book update that came after `mark`; resolves with a new mark. */
  async updatesAfter(mark: number): Promise<number> {
    await this.frame(({ type }) => type === 'update', mark)
    return this.mark()
  }

  /** How many frames there are so far: a mark to start from. */
  mark(): number {
    this.take()
    return this.frames.length
  }

  get closed(): boolean {
    return this.socket.closed
  }

  close(): void {
    this.socket.tcp.destroy()
  }

  private take(): void {
    const { frames } = this.socket
    for (; this.read < frames.length; this.read++)
      this.frames.push(heldFrame(JSON.parse(frames[this.read]!) as StreamFrame))
  }

  private tail(): string {
    return this.frames
      .slice(-12)
      .map(({ type, venue, marketId, message }) =>
        [type, venue, marketId?.slice(0, 12), message].filter(Boolean).join(' '),
      )
      .join(', ')
  }
}
