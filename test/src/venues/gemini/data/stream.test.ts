// Gemini’s socket, frame by frame in the format of its AsyncAPI contract (developer.gemini.com/specs/asyncapi/websocket.yaml, 0.10.7); the
// figures are made up.
import { describe, expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { streamWorld } from '#test/support/streamFeed'
import { gemini } from '#venues/gemini/index'

const A = 'GEMI-BTC05M2606011000-UP'
const B = 'GEMI-FED-CUT25'
const { stream } = gemini.data
type Pair = [string, string]

function world(...symbols: string[]) {
  const made = streamWorld('gemini', symbols, (feed) => stream.open(feed))
  const commands = made.session.subscribe(symbols).map((text) => JSON.parse(text) as { id: number })
  return { ...made, commands }
}
const frame = (s: string, U: number, u: number, b: Pair[], a: Pair[]) => ({
  e: 'depthUpdate',
  E: 1_751_508_260_659.5e6,
  s,
  U,
  u,
  b,
  a,
})
const trade = { E: 1_751_508_438_600.1e6, s: A.toLowerCase(), t: 2_000_000_000_000_123, p: '0.41', q: '12', m: true }

it('requests the whole book when connecting, without a key', () => {
  const context = { urls: { WS: 'wss://ws.gemini.com' } } as never
  expect(stream.connect(context)).toEqual({ url: 'wss://ws.gemini.com/?snapshot=-1', headers: {} })
})

describe('the session', () => {
  it('subscribes to changes and trades of each symbol with one command', () => {
    const { commands, session } = world(A, B)
    expect(commands).toEqual([
      { id: 1, method: 'subscribe', params: [`${A}@depth@100ms`, `${A}@trade`] },
      { id: 2, method: 'subscribe', params: [`${B}@depth@100ms`, `${B}@trade`] },
    ])
    expect(session.unsubscribe([B]).map((text) => JSON.parse(text))).toEqual([
      { id: 3, method: 'unsubscribe', params: [`${B}@depth@100ms`, `${B}@trade`] },
    ])
  })

  it('takes the first frame as the whole book and later ones as changes, ignoring the case of the symbol', () => {
    const { receive, levels, session, books } = world(A)
    receive({ id: 1, status: 200, result: null })
    expect(session.feeds(A)).toBe(true)
    expect(
      receive(
        frame(
          A.toLowerCase(),
          5,
          9,
          [
            ['0.41', '5'],
            ['0.40', '1'],
          ],
          [['0.43', '7']],
        ),
      ),
    ).toBe(true)
    receive(
      frame(
        A,
        10,
        12,
        [['0.40', '0']],
        [
          ['0.43', '8'],
          ['0.44', '2'],
        ],
      ),
    )
    expect(levels(A)).toEqual({
      bids: [[410_000, 5]],
      asks: [
        [430_000, 8],
        [440_000, 2],
      ],
    })
    expect(books.get(A)!.eventTs).toBe(1_751_508_260_659)
    // A repeated frame, and one that overlaps with what is already applied.
    receive(frame(A, 10, 12, [['0.41', '99']], []), frame(A, 12, 13, [['0.41', '6']], []))
    expect(levels(A)!.bids).toEqual([[410_000, 6]])
  })

  it('treats a frame that starts after the last one ended as a gap, requests the book and resumes from it', () => {
    const { receive, levels, events, session } = world(A)
    receive(frame(A, 5, 9, [['0.41', '5']], []), frame(A, 11, 12, [['0.42', '1']], []))
    expect([levels(A), events]).toEqual([null, [`broken ${A} gap`]])
    expect(session.resync(A)).toEqual([`{"id":2,"method":"depth","params":{"symbol":"${A}","limit":5000}}`])
    receive(frame(A, 13, 14, [['0.42', '3']], []))
    const result = {
      lastUpdateId: 77,
      bids: [
        ['0.42', '3'],
        ['0.41', '5'],
      ],
      asks: [['0.50', '1']],
    }
    expect(receive({ id: 2, status: 200, result })).toBe(true)
    expect(levels(A)!.bids).toEqual([
      [420_000, 3],
      [410_000, 5],
    ])
    receive(frame(A, 15, 15, [['0.41', '0']], []))
    expect(levels(A)!.bids).toEqual([[420_000, 3]])
  })

  it('confirms a live book by requesting it', () => {
    const { receive, levels, session } = world(A)
    receive({ id: 1, status: 200 }, frame(A, 5, 9, [['0.41', '5']], []))
    expect(session.confirm([A, B])).toEqual([`{"id":2,"method":"depth","params":{"symbol":"${A}","limit":5000}}`])
    receive({ id: 2, status: 200, result: { lastUpdateId: 1, bids: [['0.41', '6']], asks: [] } })
    expect(levels(A)!.bids).toEqual([[410_000, 6]])
  })

  it('after a new subscription does not take a late frame from the old one as the whole book', () => {
    const { receive, levels, session } = world(A)
    receive(frame(A, 5, 9, [['0.41', '5']], []))
    session.unsubscribe([A])
    const methods = session.subscribe([A]).map((text) => (JSON.parse(text) as { method: string }).method)
    expect(methods).toEqual(['subscribe', 'depth'])
    expect(levels(A)).not.toBeNull()
    receive(frame(A, 10, 10, [['0.42', '1']], []))
    expect(levels(A)!.bids).toEqual([
      [420_000, 1],
      [410_000, 5],
    ])
  })

  it('refuses a symbol unknown to the venue, but not on a temporary error', () => {
    const { receive, events } = world(A, B)
    receive({ id: 1, status: 400, error: { code: -1121, msg: 'Invalid symbol' } }, { id: 2, status: 503 })
    expect(events).toEqual([`refused ${A} -1121 Invalid symbol`])
  })

  it('publishes trades; a buyer who was the maker means a sell', () => {
    const { receive, trades } = world(A)
    expect(receive(trade, { ...trade, s: B })).toBe(true)
    expect(trades).toMatchObject([
      {
        marketId: A,
        data: {
          id: '2000000000000123',
          timestamp: 1_751_508_438_600,
          type: 'Sell',
          price: 0.41,
          shares: 12,
          usd: 4.92,
        },
      },
    ])
  })

  it('never publishes half a book and survives random garbage', () => {
    const { receive, levels, events } = world(A)
    receive(frame(A, 5, 9, [['0.41', 'many']], []))
    expect(levels(A)).toBeNull()
    const random = createPrng('garbage')
    const good = JSON.stringify(frame(A, 10, 12, [['0.41', '5']], [['0.43', '7']]))
    for (let i = 0; i < 1_000; i++) {
      const at = random.int(good.length)
      receive(good.slice(0, at) + '{}[]",:x0-'[random.int(10)] + good.slice(at + random.int(3)))
    }
    receive('null', '[]', { id: 99, status: 200 }, { id: 'alive', status: 200 }, { ...trade, p: '7' })
    expect(events.some((line) => line.startsWith('failed'))).toBe(false)
  })
})
