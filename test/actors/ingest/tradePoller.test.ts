// Trades of polled books on their way to the tape, on a manual clock: in rotation, with pauses, each once, and losses recorded as gaps.
import { expect, test } from 'vitest'
import { TradePoller } from '#actors/ingest/tradePoller'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { Trade } from '#schemas/marketData'

const everyMs = 10_000

function polling(books: string[]) {
  const clock = new ManualClock()
  const requests: string[] = []
  const taped: string[] = []
  const venue = { trades: (_bookId: string): string[] => [], failure: null as Error | null }
  const poller = new TradePoller({
    data: {
      poll: { intervalMs: 1, concurrency: 1, tradesEveryMs: everyMs },
      fetchTrades: async (_context, { outcomeId }) => {
        requests.push(outcomeId)
        if (venue.failure !== null) throw venue.failure
        return venue
          .trades(outcomeId)
          .map((id): Trade => ({ id, timestamp: 1, price: 0.5, amount: 1, side: 'buy', outcomeId }))
      },
    },
    context: {} as never,
    clock,
    random: () => 0.5,
    books: () => books,
    onTrades: (bookId, trades, until) =>
      void taped.push(`${until === null ? 'unproven ' : ''}${bookId}: ${trades.map(({ id }) => id).join(' ')}`),
    onGap: (bookId) => void taped.push(`gap ${bookId}`),
    log: silentLog,
  })
  poller.start()
  /** Lets this time pass, and running work finish. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += everyMs / 2) {
      clock.advance(everyMs / 2)
      for (let turn = 0; turn < 8; turn++) await Promise.resolve()
    }
  }
  return { clock, requests, taped, venue, poller, pass, books }
}

test('reads one book per interval in rotation, a new one first', async () => {
  const { requests, books, pass } = polling(['a', 'b'])
  await pass(4 * everyMs)
  expect(requests).toEqual(['a', 'b', 'a', 'b'])
  books.push('c')
  await pass(3 * everyMs)
  expect(requests.slice(4)).toEqual(['c', 'a', 'b'])
  books.splice(0, 3)
  await pass(5 * everyMs)
  expect(requests).toHaveLength(7)
})

test('does not read a single book again immediately', async () => {
  const { requests, pass } = polling(['a'])
  await pass(4 * everyMs)
  expect(requests).toHaveLength(2)
})

test('tapes each trade once; rows without overlap with the last read are a gap, an empty response is not', async () => {
  const { taped, venue, pass } = polling(['a'])
  const answers = [['t1'], ['t3', 't2', 't1'], [], ['t3', 't2'], ['t9', 't8'], ['t9', 't8']]
  venue.trades = () => answers.shift() ?? []
  await pass(12 * everyMs)
  expect(taped).toEqual(['a: t1', 'a: t3 t2', 'unproven a: ', 'a: ', 'gap a', 'a: t9 t8', 'a: '])
})

test('asks a failing venue less and less often, and at its normal pace once it responds', async () => {
  const { requests, venue, pass, poller } = polling(['a', 'b', 'c'])
  venue.failure = new Fault('NETWORK_ERROR', 'down')
  await pass(60 * everyMs)
  const failed = requests.length
  expect(failed).toBeGreaterThan(2)
  expect(failed).toBeLessThan(12)
  venue.failure = null
  await pass(60 * everyMs)
  expect(requests.length - failed).toBeGreaterThan(25)
  poller.stop()
  const stopped = requests.length
  await pass(10 * everyMs)
  expect(requests).toHaveLength(stopped)
})

test('does not let a book whose trades cannot be read block the others', async () => {
  const { requests, taped, venue, pass } = polling(['broken', 'b', 'c'])
  venue.trades = (bookId) => {
    if (bookId === 'broken') throw new Fault('NETWORK_ERROR', 'not this one')
    return [`${bookId}1`]
  }
  await pass(12 * everyMs)
  expect(new Set(requests)).toEqual(new Set(['broken', 'b', 'c']))
  expect(taped).toContain('b: b1')
  expect(taped).toContain('c: c1')
})
