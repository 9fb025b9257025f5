import { expect, it } from 'vitest'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import type { CoverageEvent, TapeBatch, TopOfBookRow, TradeUpdate, WalletPoll, WalletTrade } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { tradeUpdate } from '#test/src/stream/support'

const row = (outcomeId: string, ts: number): TopOfBookRow => ({
  venue: 'v',
  outcomeId,
  ts,
  recvTs: ts,
  bidMicros: 1,
  bidSize: 1,
  askMicros: null,
  askSize: 0,
})
const gap = (outcomeId: string): CoverageEvent => ({
  venue: 'v',
  outcomeId,
  kind: 'gap',
  mechanism: 'ws-lossless',
  effectiveIntervalMs: null,
  reason: 'tape backlog full',
  at: 1,
})

async function recordingBus() {
  const tape: TapeBatch[] = []
  const coverage: CoverageEvent[] = []
  const bus: Bus = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  await bus.consume('tape', 'g', async ({ values }) => void tape.push(...values))
  await bus.consume('coverage', 'g', async ({ values }) => void coverage.push(...values))
  return { bus, tape, coverage }
}

it('hands over the rows as one batch per outcome, in arrival order', async () => {
  const { bus, tape } = await recordingBus()
  const buffer = new TapeBuffer('v')
  for (const [outcome, ts] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    buffer.topOfBook(row(outcome, ts))
  await buffer.flush(bus, gap)
  await bus.close()
  expect(tape.map((batch) => [batch.outcomeId, batch.topOfBook.map(({ ts }) => ts)])).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ])
})

it('stays bounded while the bus accepts nothing, and records which outcome lost rows', async () => {
  const { bus, tape, coverage } = await recordingBus()
  const buffer = new TapeBuffer('v', 2)
  for (const ts of [1, 2, 3, 4]) buffer.topOfBook(row(ts < 3 ? 'kept' : 'lost', ts))
  expect([buffer.rows, buffer.lost]).toEqual([2, 2])
  await buffer.flush(bus, gap)
  await bus.close()
  expect(tape.map((batch) => batch.outcomeId)).toEqual(['kept'])
  expect(coverage.map((event) => [event.outcomeId, event.kind])).toEqual([['lost', 'gap']])
})

it('passes a trade with wallets to the record of traders when one is kept', async () => {
  const of = (id: number, data: Partial<TradeUpdate['data']>): TradeUpdate => {
    const update = tradeUpdate('m', id, 'v')
    return { ...update, data: { ...update.data, ...data } }
  }
  const trades = [of(1, { wallet: '0xa', counterparty: '0xb' }), of(2, {}), of(3, { wallet: '0xa', type: 'Unknown' })]
  for (const recordsTraders of [false, true]) {
    const { bus, tape } = await recordingBus()
    const recorded: (WalletTrade | WalletPoll)[] = []
    await bus.consume('walletTrades', 'g', async ({ values }) => void recorded.push(...values))
    const buffer = new TapeBuffer('v', 100, recordsTraders)
    for (const trade of trades) buffer.addPublished(trade)
    await buffer.flush(bus, gap)
    await bus.close()
    expect(tape[0]!.trades.map(({ tradeId }) => tradeId)).toEqual(['1', '2', '3'])
    expect(recorded).toMatchObject(
      recordsTraders
        ? [{ tradeId: '1', outcomeId: 'm', wallet: '0xa', counterparty: '0xb', side: 'buy', size: 3.25 }]
        : [],
    )
  }
})

it('reports up to when all trades were published, also without trades, but not when some were dropped', async () => {
  const { bus } = await recordingBus()
  const published: object[] = []
  await bus.consume('walletTrades', 'g', async ({ values }) => void published.push(...values))
  const update = tradeUpdate('m', 1, 'v')
  const trade = { ...update, data: { ...update.data, wallet: '0xa' } }
  const buffer = new TapeBuffer('v', 4, true)
  buffer.addPublished(trade)
  buffer.publishedUntil(5_000)
  await buffer.flush(bus, gap)
  buffer.publishedUntil(6_000)
  await buffer.flush(bus, gap)
  await buffer.flush(bus, gap)
  for (let n = 0; n < 5; n++) buffer.addPublished(trade)
  buffer.publishedUntil(7_000)
  await buffer.flush(bus, gap)
  const unrecorded = new TapeBuffer('v', 4, false)
  unrecorded.publishedUntil(8_000)
  await unrecorded.flush(bus, gap)
  await bus.close()
  expect(published.filter((each) => 'lookedAt' in each)).toEqual([
    { venue: 'v', lookedAt: 5_000 },
    { venue: 'v', lookedAt: 6_000 },
  ])
  expect(published.slice(0, 2)).toMatchObject([{ tradeId: '1' }, { lookedAt: 5_000 }])
})

it('publishes rows buffered during a bus outage in messages within the size limit, every row once and in order', async () => {
  const { bus, tape } = await recordingBus()
  const buffer = new TapeBuffer('v')
  const levels = Array.from({ length: 1_000 }, (_, n) => n)
  const depth = (ts: number) => ({ bidMicros: levels, bidSizes: levels, askMicros: levels, askSizes: levels, ts })
  for (let n = 0; n < 5_000; n++) buffer.topOfBook(row('m', n))
  for (let n = 0; n < 40; n++) buffer.book({ venue: 'v', outcomeId: 'm', recvTs: n, ...depth(n) })
  await buffer.flush(bus, gap)
  await bus.close()
  expect(tape.flatMap(({ topOfBook }) => topOfBook.map(({ ts }) => ts))).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n),
  )
  expect(tape.flatMap(({ books }) => books.map(({ ts }) => ts))).toEqual(Array.from({ length: 40 }, (_, n) => n))
  for (const message of tape) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(700_000)
})
