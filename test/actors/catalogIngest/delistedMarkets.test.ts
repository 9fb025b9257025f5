// Markets that have left the lists, against a scripted venue: only the venue's own answer changes a row, and requests are bounded.
import { expect, test } from 'vitest'
import { RefetchQueue } from '#actors/catalogIngest/delistedMarkets'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { Event, Market } from '#schemas/market'
import { sampleEvent, sampleMarket } from '#test/src/marketData/catalog/samples'
import type { VenueData } from '#venues/venue'

const clock = new ManualClock(1_800_000_000_000)

function world({ unseen, ...data }: { unseen: Market[] } & Partial<VenueData>) {
  const written: Event[] = []
  const requests: string[][] = []
  const rereads = new RefetchQueue({
    venue: { slug: 'kalshi', data: { requestsPerSecond: 1, ...data } } as never,
    context: {} as never,
    catalog: {
      findUnseenMarkets: async ({ except, limit }) => {
        requests.push([...except])
        return unseen.filter(({ marketId }) => !except.includes(marketId)).slice(0, limit)
      },
      findEvents: async ({ filter }) => ({
        rows: [
          sampleEvent(
            filter.eventId!,
            unseen.filter(({ eventId }) => eventId === filter.eventId),
          ),
        ],
        positions: [],
        next: null,
        total: 1,
        asOf: null,
      }),
      upsertEvents: async (_venue, events) => {
        written.push(...events)
        return { events: 1, markets: 1, outcomes: 2 }
      },
    },
    clock,
    log: silentLog,
  })
  return { rereads, written, requests, run: () => rereads.run(clock.now(), () => false) }
}

const of = (id: string, eventId: string): Market => ({ ...sampleMarket(id, { status: 'active' }), eventId })
const unreachable = async (): Promise<never> => {
  throw new Fault('NETWORK_ERROR', 'down')
}

test('marks a market that its venue no longer knows as unknown without quotes, and updates its siblings from the venue', async () => {
  const gone = of('a', 'E')
  const { written, run } = world({
    unseen: [gone, of('b', 'E')],
    fetchEvent: async () => sampleEvent('E', [{ ...of('b', 'E'), status: 'resolved' }]),
    fetchMarket: async () => null,
  })
  expect(await run()).toBe(2)
  expect(written.map(({ markets }) => markets.map(({ marketId, status }) => [marketId, status]))).toEqual([
    [
      ['b', 'resolved'],
      ['a', 'unknown'],
    ],
  ])
  for (const outcome of written[0]!.markets[1]!.outcomes)
    expect(outcome).toMatchObject({ bestBid: null, bestAsk: null })
})

test('reads single markets at a venue without event reads, and keeps the event of a row that has none', async () => {
  const { written, run } = world({
    unseen: [{ ...of('a', 'E'), category: 'Politics' }],
    fetchMarket: async () => ({
      market: { ...of('a', 'E'), eventId: null, category: undefined, status: 'closed' },
      event: null,
    }),
  })
  await run()
  expect(written.map(({ id }) => id)).toEqual(['E'])
  expect(written[0]!.markets).toMatchObject([{ marketId: 'a', eventId: 'E', category: 'Politics', status: 'closed' }])
})

test('sends one request per event to a venue that reads several markets at once', async () => {
  const requests: string[][] = []
  const { written, run } = world({
    unseen: [...['a', 'b', 'c'].map((id) => of(id, 'E')), of('d', 'F')],
    fetchMarkets: async (_context, ids) => {
      requests.push([...ids])
      return new Map(ids.filter((id) => id !== 'b').map((id) => [id, { ...of(id, 'X'), status: 'resolved' }]))
    },
    fetchMarket: unreachable,
  })
  expect(await run()).toBe(4)
  expect(requests).toEqual([['a', 'b', 'c'], ['d']])
  expect(written.map(({ markets }) => markets.map(({ marketId, status }) => `${marketId} ${status}`))).toEqual([
    ['a resolved', 'b unknown', 'c resolved'],
    ['d resolved'],
  ])
  expect(written[0]!.markets[0]!.eventId).toBe('E')
})

test('leaves rows unchanged when a read fails, does not retry them soon, and stops asking a venue that is down', async () => {
  const unseen = Array.from({ length: 10 }, (_, n) => of(`m${n}`, `E${n}`))
  const { written, requests, run } = world({ unseen, fetchEvent: unreachable, fetchMarket: unreachable })
  expect(await run()).toBe(0)
  await run()
  expect(written).toEqual([])
  // Three failures in a row end a run.
  expect(requests).toEqual([[], ['m0', 'm1', 'm2']])
  clock.advance(3_600_001)
  await run()
  expect(requests[2]).toEqual([])
})

test('limits the reads after one walk to the venue’s rate limit', async () => {
  let reads = 0
  const unseen = Array.from({ length: 300 }, (_, n) => of(`m${n}`, `E${n}`))
  const { run } = world({
    unseen,
    fetchEvent: async (_context, id) => {
      reads++
      return sampleEvent(id, [of(`m${id.slice(1)}`, id)])
    },
  })
  await run()
  expect(reads).toBe(30)
})

test('limits the reads for one event that lost all its markets as well', async () => {
  let reads = 0
  const { run, written } = world({
    unseen: Array.from({ length: 300 }, (_, n) => of(`m${n}`, 'E')),
    fetchEvent: async () => null,
    fetchMarket: async () => {
      reads++
      return null
    },
  })
  expect(await run()).toBe(29)
  expect(reads).toBe(29)
  const unknownMarkets = written.flatMap(({ markets }) => markets).filter(({ status }) => status === 'unknown')
  expect(unknownMarkets).toHaveLength(29)
})
