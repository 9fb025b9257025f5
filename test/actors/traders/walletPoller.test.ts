import { expect, it } from 'vitest'
import { WalletPoller, type WalletPollerOptions, walletTradeOfRow } from '#actors/traders/walletPoller'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { WalletTrade } from '#schemas/topics'
import type { TraderTrade } from '#schemas/traders'
import { sampleMarket } from '#test/src/marketData/catalog/samples'
import type { VenueContext } from '#venues/venueContext'

const now = new ManualClock().now()
const row: TraderTrade = {
  venue: 'polymarket',
  marketId: 'm',
  outcomeId: 'o',
  tradeId: 't',
  ts: now - 4_000,
  wallet: '0xa',
  side: 'sell',
  price: 0.25,
  amount: 8,
  usdSize: 2,
}

it('accepts only rows that prove who traded what', () => {
  expect(walletTradeOfRow(row, now)).toEqual({
    venue: 'polymarket',
    outcomeId: 'o',
    tradeId: 't',
    ts: now - 4_000,
    recvTs: now,
    priceMicros: 250_000,
    size: 8,
    side: 'sell',
    usd: 2,
    wallet: '0xa',
    counterparty: null,
  })
  expect(walletTradeOfRow({ ...row, price: null, usdSize: null }, now)).toMatchObject({ priceMicros: null, usd: null })
  for (const unknown of ['wallet', 'side', 'outcomeId', 'amount'] as const)
    expect(walletTradeOfRow({ ...row, [unknown]: null }, now)).toBeNull()
  for (const impossible of [
    { ts: now + 60_001 },
    { ts: now / 1_000 },
    { amount: -10 },
    { amount: 0 },
    { amount: 1e18 },
  ])
    expect(walletTradeOfRow({ ...row, ...impossible }, now)).toBeNull()
  expect(walletTradeOfRow({ ...row, price: 1.5, usdSize: 12 }, now)).toMatchObject({ priceMicros: null, usd: null })
})

async function polled(
  fetchTrades: (marketId: string) => Promise<TraderTrade[]>,
  onTrades: (trades: WalletTrade[]) => void = () => undefined,
) {
  const clock = new ManualClock()
  const read: string[] = []
  const reported: WalletTrade[] = []
  const progress: number[] = []
  const options: WalletPollerOptions = {
    venue: 'polymarket',
    context: {} as VenueContext,
    async fetchTrades(_context, { marketId }) {
      read.push(marketId)
      return { rows: await fetchTrades(marketId), next: null }
    },
    findMarkets: async () => ['a', 'b', 'c'].map((id) => sampleMarket(id)),
    async onTrades(trades) {
      onTrades(trades)
      reported.push(...trades)
    },
    onProgress: (at) => progress.push(at - now),
    random: () => 0.5,
    clock,
    log: silentLog,
  }
  const poller = new WalletPoller(options)
  const turns = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      clock.advance(3_000)
      for (let settled = 0; settled < 10; settled++) await Promise.resolve()
    }
  }
  return { poller, read, reported, progress, turns }
}

it('reads the most active markets in rotation, none more often than allowed', async () => {
  const { poller, read, reported, turns } = await polled(async (marketId) => [{ ...row, tradeId: marketId }])
  await turns(9)
  expect(read).toEqual(['a', 'b', 'c'])
  expect(reported.map(({ tradeId }) => tradeId)).toEqual(['a', 'b', 'c'])
  await turns(4)
  expect(read).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  await poller.stop()
  await turns(20)
  expect(read.length).toBe(6)
})

it('continues with the next market when one fails, and reads less often meanwhile', async () => {
  const { poller, read, reported, turns } = await polled(async (marketId) => {
    if (marketId === 'a') throw new Error('no')
    return [{ ...row, tradeId: marketId }]
  })
  await turns(2)
  expect(read).toEqual(['a'])
  await turns(6)
  expect(reported.map(({ tradeId }) => tradeId)).toEqual(['b', 'c'])
  await poller.stop()
})

it('reports progress once every market was read, also without trades, and not before their trades were accepted', async () => {
  let isTaken = true
  const { poller, progress, turns } = await polled(
    async (marketId) => (marketId === 'a' ? [row] : []),
    () => {
      if (!isTaken) throw new Error('no room')
    },
  )
  await turns(2)
  expect(progress).toEqual([])
  await turns(1)
  // The oldest of three reads.
  expect(progress).toEqual([3_000])
  await turns(12)
  expect(progress.length).toBeGreaterThan(1)
  expect(progress.at(-1)).toBeGreaterThanOrEqual(30_000)
  const known = progress.length
  isTaken = false
  await turns(60)
  expect(progress.length).toBe(known)
  await poller.stop()
})

it('reports no progress while one market cannot be read', async () => {
  let isAway = true
  const { poller, progress, turns } = await polled(async (marketId) => {
    if (marketId === 'b' && isAway) throw new Error('away')
    return []
  })
  await turns(60)
  expect(progress).toEqual([])
  isAway = false
  await turns(60)
  expect(progress.length).toBeGreaterThan(0)
  await poller.stop()
})

it('does not report a trade again when the venue corrects its time', async () => {
  let ts = now
  const { poller, reported, turns } = await polled(async (marketId) => (marketId === 'a' ? [{ ...row, ts: ts++ }] : []))
  await turns(40)
  expect(ts).toBeGreaterThan(now + 2)
  expect(reported.map((trade) => trade.ts)).toEqual([now])
  await poller.stop()
})

it('reports trades that the last read did not have, and repeats those that were not accepted', async () => {
  let newest = 1
  let isTaken = false
  const { poller, reported, turns } = await polled(
    async (marketId) =>
      marketId === 'a' ? [newest, newest - 1].map((n) => ({ ...row, tradeId: `t${n}`, ts: now + n })) : [],
    () => {
      if (!isTaken) throw new Error('no room on the bus')
    },
  )
  await turns(1)
  expect(reported).toEqual([])
  isTaken = true
  await turns(15)
  expect(reported.map(({ tradeId }) => tradeId)).toEqual(['t1', 't0'])
  newest = 2
  await turns(12)
  expect(reported.map(({ tradeId }) => tradeId)).toEqual(['t1', 't0', 't2'])
  await poller.stop()
})
