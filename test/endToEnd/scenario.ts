// What a user sees, in whatever mode Crossbook runs: one client, simulated venues, the same guarantees. It knows only addresses and a key.
import { expect, it } from 'vitest'
import { ASK, BID } from '#core/books/book'
import { changesOf, DepthBook, type DepthLine } from '#history/depthBook'
import type { Lab } from '#lab/lab'
import {
  ask,
  eventually,
  levelsOf,
  levelsOfTruth,
  type Served,
  StreamClient,
  type WireBook,
} from '#test/support/cluster/client'
import { labVenues, markBest, openMarkets, truthOf, upstreamOf, whilePaused } from '#test/support/cluster/labTruth'

interface ReplayRow {
  k: string
  ts: number
  bid: number | null
  bidSize: number | null
  ask: number | null
  askSize: number | null
  next?: string | null
  rows?: number
}

const windowMs = 60_000
/** No synthetic level has it. */
const markSize = 77_777
/** Far behind the pinned ones in every venue's list: live only because this client subscribes. */
const marketIndex = 3

/** Declares the tests; call it inside a `describe` after the system has started. */
export function describeUser(system: () => { served: Served; lab: Lab }): void {
  for (const venue of labVenues) {
    const market = (): string => openMarkets(system().lab, venue)[marketIndex]!

    it(`${venue}: a book read becomes live and equals the venue's own book`, async () => {
      const { served, lab } = system()
      const path = `/api/${venue}/fetchOrderBook?outcomeId=${market()}`
      await eventually(async () => {
        const { status, body } = await ask(served, path)
        expect(status, JSON.stringify(body)).toBe(200)
        expect(body.provenance).toEqual({ source: 'service-live' })
      })
      await whilePaused(lab, () =>
        eventually(async () => {
          const { body } = await ask(served, path)
          expect(body.provenance).toEqual({ source: 'service-live' })
          expect(levelsOf(body.data as WireBook)).toBe(levelsOfTruth(truthOf(lab, venue, market())!))
        }),
      )
    })

    it(`${venue}: the stream acknowledges, sends a snapshot first, then follows the venue`, async () => {
      const { served, lab } = system()
      const client = await StreamClient.open(served)
      try {
        client.subscribe(venue, market())
        await client.frame(({ type }) => type === 'update')
        const types = client.of(venue, market()).map(({ type }) => type)
        expect(types.slice(0, 3)).toEqual(['subscribed', 'snapshot', 'update'])
        await whilePaused(lab, () => client.converges(venue, market(), () => truthOf(lab, venue, market())))
      } finally {
        client.close()
      }
    })

    it(`${venue}: trades arrive`, async () => {
      const { served, lab } = system()
      const client = await StreamClient.open(served)
      try {
        client.subscribe(venue, market(), 'trades')
        await client.frame(({ type }) => type === 'subscribed')
        lab[venue].faults.burst({ market: market(), ratePerSecond: 50, durationMs: 3_000 })
        const trade = await client.frame(({ type }) => type === 'trade')
        expect(trade).toMatchObject({ venue, marketId: market(), data: { id: expect.any(String) } })
      } finally {
        client.close()
      }
    })

    it(`${venue}: the last minute replays in order, and its pages together equal the whole`, async () => {
      const { served, lab } = system()
      const client = await StreamClient.open(served)
      try {
        client.subscribe(venue, market())
        // Enough books for several pages.
        await eventually(() => expect(client.of(venue, market()).length).toBeGreaterThan(12))
        await whilePaused(lab, async () => {
          const until = Date.now()
          const query = `venue=${venue}&outcomeId=${market()}&kind=tob&since=${until - windowMs}&until=${until + windowMs}`
          markBest(lab, venue, market(), markSize)
          const whole = await eventually(async () => {
            const page = await replay(served, query)
            expect(page.rows.at(-1)?.bidSize).toBe(markSize)
            return page
          })
          const { bids, asks } = truthOf(lab, venue, market())!
          expect(whole.rows.at(-1)).toMatchObject({
            bid: bids[0]![0] / 1e6,
            ask: asks[0]![0] / 1e6,
            askSize: asks[0]![1],
          })
          expect(whole.rows.length).toBeGreaterThan(3)
          expect(whole.next).toBeNull()
          expect(whole.rows.map(({ ts }) => ts)).toEqual(whole.rows.map(({ ts }) => ts).sort((a, b) => a - b))
          const as = async (format: string) => {
            const answer = await fetch(`${served.url}/v1/history/replay?${query}&format=${format}`, {
              headers: { authorization: `Bearer ${served.apiKey}` },
            })
            expect(answer.headers.get('x-page-rows')).toBe(String(whole.rows.length))
            return Buffer.from(await answer.arrayBuffer())
          }
          expect((await as('csv')).toString().trimEnd().split('\n')).toHaveLength(whole.rows.length + 1)
          const parquet = (await as('parquet')).toString('latin1')
          expect(parquet.slice(0, 4) + parquet.slice(-4)).toBe('PAR1PAR1')
          expect(await pages(served, query, Math.max(1, Math.floor(whole.rows.length / 4)))).toEqual(whole.lines)
        })
      } finally {
        client.close()
      }
    })

    it(`${venue}: each book rebuilt from the tape's full depth equals the one on the stream, across a gap of its feed`, async () => {
      const { served, lab } = system()
      const client = await StreamClient.open(served)
      const books = () => client.of(venue, market()).filter(({ type }) => type === 'snapshot' || type === 'update')
      const since = Date.now() - 1_000
      try {
        client.subscribe(venue, market())
        await eventually(() => expect(books().length).toBeGreaterThan(8))
        lab[venue].faults.disconnect()
        await client.frame(({ message }) => message?.startsWith('book is stale') === true)
        const mark = books().length
        await eventually(() => expect(books().length).toBeGreaterThan(mark + 8))
        await whilePaused(lab, async () => {
          markBest(lab, venue, market(), markSize)
          await client.converges(venue, market(), () => truthOf(lab, venue, market()))
          await eventually(async () => {
            const query = `venue=${venue}&outcomeId=${market()}&kind=l2&since=${since}&until=${Date.now() + windowMs}`
            const { rows } = await replay<DepthLine>(served, query)
            expect(rows.map(({ type }) => type)).toContain('gap')
            const made = statesOf(rows)
            let at = 0
            for (const { data } of books()) {
              const streamed = levelsOf(data as WireBook)
              const found = made.indexOf(streamed, at)
              expect(found, `a book that is not on the tape behind the ${at}th: ${streamed}`).toBeGreaterThanOrEqual(at)
              at = found
            }
            expect(at).toBe(made.length - 1)
          })
        })
      } finally {
        client.close()
      }
    })

    it(`${venue}: a market without subscribers becomes live again with the next one`, async () => {
      const { served, lab } = system()
      // A market without other subscribers.
      const left = openMarkets(lab, venue).find((id) => upstreamOf(lab, venue, id) === 0)!
      const client = await StreamClient.open(served)
      try {
        client.subscribe(venue, left)
        await eventually(() => expect(client.of(venue, left).length).toBeGreaterThan(5))
        client.unsubscribe(venue, left)
        await eventually(() => expect(upstreamOf(lab, venue, left)).toBe(0))
        const mark = client.mark()
        // Quiet, so that the first book after the pause must be accepted: it must not count as older than the last one before.
        await whilePaused(lab, async () => {
          client.subscribe(venue, left)
          await client.frame(({ type, marketId }) => type === 'snapshot' && marketId === left, mark)
          await client.converges(venue, left, () => truthOf(lab, venue, left))
        })
      } finally {
        client.close()
      }
    })

    it(`${venue}: an unknown outcome is 404 with a request id`, async () => {
      const unknown = venue === 'kalshi' ? 'KXNOSUCH-99JAN01-T1' : '1'.repeat(77)
      const { status, body } = await ask(system().served, `/api/${venue}/fetchOrderBook?outcomeId=${unknown}`)
      expect([status, body.error?.code]).toEqual([404, 'OUTCOME_NOT_FOUND'])
      expect(body.error?.requestId).toEqual(expect.stringMatching(/.+/))
    })
  }

  it('the status lists both venues as connected', async () => {
    await eventually(async () => {
      const { body } = await ask(system().served, '/v1/status')
      const { venues } = body.data as { venues: { venue: string; connection: string }[] }
      expect(venues.map(({ venue, connection }) => `${venue} ${connection}`).sort()).toEqual([
        'kalshi connected',
        'polymarket connected',
      ])
    })
  })
}

/** Every known book, one after the other. */
function statesOf(lines: readonly DepthLine[]): string[] {
  const depth = new DepthBook()
  const sideOf = (side: typeof BID | typeof ASK) =>
    depth.book.levels(side).map(({ priceMicros, size }) => ({ price: priceMicros / 1e6, size }))
  const states: string[] = []
  for (const change of changesOf(lines)) {
    expect(depth.take(change).unknownSince).toBeNull()
    if (depth.isKnownAt(change[0].recvTs)) states.push(levelsOf({ bids: sideOf(BID), asks: sideOf(ASK) }))
  }
  return states
}

/** One page: its lines as received, without the cursor line. */
async function replay<Row = ReplayRow>(
  served: Served,
  query: string,
): Promise<{ lines: string[]; rows: Row[]; next: string | null }> {
  const { status, text } = await ask(served, `/v1/history/replay?${query}`)
  expect(status, text.slice(0, 300)).toBe(200)
  const lines = text.trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as ReplayRow)
  expect(parsed.filter(({ k }) => k === 'cursor')).toHaveLength(1)
  const end = parsed.at(-1)!
  expect([end.k, end.rows]).toEqual(['cursor', lines.length - 1])
  return { lines: lines.slice(0, -1), rows: parsed.slice(0, -1) as unknown as Row[], next: end.next ?? null }
}

async function pages(served: Served, query: string, limit: number): Promise<string[]> {
  const lines: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof replay>> = await replay(
      served,
      `${query}&limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    lines.push(...page.lines)
    cursor = page.next
  }
  return lines
}
