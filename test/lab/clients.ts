// Plain clients of the lab's two protocols, written from the documentation of the venues, without code of the lab or the adapters.
import { constants, createPrivateKey, sign } from 'node:crypto'
import WebSocket from 'ws'
import type { MarketTruth } from '#lab/engine/market'

export type Json = Record<string, unknown>

/** A socket that records every text frame. */
export class RecordingSocket {
  readonly ws: WebSocket
  readonly frames: string[] = []
  readonly pings: string[] = []
  closed: { code: number } | null = null
  private waiting: (() => void)[] = []

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data) => {
      this.frames.push(data.toString())
      this.wake()
    })
    ws.on('ping', (data) => {
      this.pings.push(data.toString())
      this.wake()
    })
    ws.on('close', (code) => {
      this.closed = { code }
      this.wake()
    })
    ws.on('error', () => this.wake())
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<RecordingSocket> {
    const ws = new WebSocket(url, { headers, perMessageDeflate: false })
    const socket = new RecordingSocket(ws)
    await new Promise<void>((resolve, reject) => {
      ws.once('open', () => resolve())
      ws.once('unexpected-response', (_request, response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => reject(Object.assign(new Error('refused'), { status: response.statusCode, body })))
      })
      ws.once('error', reject)
    })
    return socket
  }

  send(value: unknown): void {
    this.ws.send(typeof value === 'string' ? value : JSON.stringify(value))
  }

  /** Resolves as soon as the condition holds; checked at every event of this socket. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  /** Resolves with the next matching frame, or with null if the socket closes first; each frame is checked once. */
  async next(matches: (text: string) => boolean): Promise<string | null> {
    let seen = this.frames.length
    let found: string | null = null
    await this.until(() => {
      while (found === null && seen < this.frames.length) {
        const text = this.frames[seen++]!
        if (matches(text)) found = text
      }
      return found !== null || this.closed !== null
    })
    return found
  }

  /** Every frame parsed, arrays flattened; frames that are not JSON are omitted. */
  messages(): Json[] {
    return this.frames.flatMap((text) => {
      try {
        const value: unknown = JSON.parse(text)
        return (Array.isArray(value) ? value : [value]) as Json[]
      } catch {
        return []
      }
    })
  }

  async close(): Promise<void> {
    this.ws.terminate()
    await this.until(() => this.closed !== null)
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}

/** The three headers of a signed kalshi request. */
export function kalshiHeaders(
  credentials: { API_KEY_ID: string; PRIVATE_KEY_PEM: string },
  nowMs: number,
  path = '/trade-api/ws/v2',
): Record<string, string> {
  const signature = sign('sha256', Buffer.from(`${nowMs}GET${path}`), {
    key: createPrivateKey(credentials.PRIVATE_KEY_PEM),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 32,
  })
  return {
    'KALSHI-ACCESS-KEY': credentials.API_KEY_ID,
    'KALSHI-ACCESS-TIMESTAMP': String(nowMs),
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  }
}

export interface RebuiltBook {
  bids: Map<string, number>
  asks: Map<string, number>
}

/** Rebuilds every polymarket book on a socket from its frames, by token. */
export function rebuildPolymarket(messages: readonly Json[]): Map<string, RebuiltBook> {
  const books = new Map<string, RebuiltBook>()
  for (const message of messages) {
    if (message.event_type === 'book') {
      const side = (levels: unknown) =>
        new Map((levels as { price: string; size: string }[]).map(({ price, size }) => [micros(price), Number(size)]))
      books.set(String(message.asset_id), { bids: side(message.bids), asks: side(message.asks) })
    } else if (message.event_type === 'price_change') {
      for (const change of message.price_changes as Record<string, string>[]) {
        const book = books.get(change.asset_id!)
        if (book === undefined) continue
        const levels = change.side === 'BUY' ? book.bids : book.asks
        if (Number(change.size) === 0) levels.delete(micros(change.price!))
        else levels.set(micros(change.price!), Number(change.size))
      }
    }
  }
  return books
}

/** Rebuilds every kalshi book on a socket, YES scale, by ticker; also reports breaks in the numbers of a sid. */
export function rebuildKalshi(messages: readonly Json[], useYesPrice: boolean) {
  const books = new Map<string, RebuiltBook>()
  const seqs = new Map<number, number>()
  const gaps: string[] = []
  for (const message of messages) {
    if (typeof message.seq === 'number') {
      const sid = message.sid as number
      const last = seqs.get(sid) ?? 0
      if (message.seq !== last + 1) gaps.push(`${last}->${message.seq}`)
      seqs.set(sid, message.seq)
    }
    const msg = message.msg as Record<string, unknown>
    const noPrice = (price: string) => (useYesPrice ? micros(price) : String(1_000_000 - Number(micros(price))))
    if (message.type === 'orderbook_snapshot') {
      const levels = (rows: unknown, price: (text: string) => string) =>
        new Map(((rows ?? []) as [string, string][]).map(([p, count]) => [price(p), Number(count)]))
      books.set(String(msg.market_ticker), {
        bids: levels(msg.yes_dollars_fp, micros),
        asks: levels(msg.no_dollars_fp, noPrice),
      })
    } else if (message.type === 'orderbook_delta') {
      const book = books.get(String(msg.market_ticker))
      if (book === undefined) continue
      const yes = msg.side === 'yes'
      const levels = yes ? book.bids : book.asks
      const price = yes ? micros(String(msg.price_dollars)) : noPrice(String(msg.price_dollars))
      const total = Math.round(((levels.get(price) ?? 0) + Number(msg.delta_fp)) * 100) / 100
      if (total === 0) levels.delete(price)
      else levels.set(price, total)
    }
  }
  return { books, gaps, seqs }
}

/** The lab's own books in the same shape, for comparison. */
export const truthBook = (truth: MarketTruth | null): RebuiltBook => ({
  bids: new Map(truth!.bids.map(([price, size]) => [String(price), size])),
  asks: new Map(truth!.asks.map(([price, size]) => [String(price), size])),
})

/** Levels as a plain object, so that their order does not matter. */
export const plain = ({ bids, asks }: RebuiltBook) => ({
  bids: Object.fromEntries(bids),
  asks: Object.fromEntries(asks),
})

const micros = (price: string): string => String(Math.round(Number(price) * 1_000_000))

export async function getJson(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}
