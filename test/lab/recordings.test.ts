import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { startLab } from '#lab/lab'
import { findRecordings, recordedMarkets } from '#lab/recordings'
import { sharedFixture } from '#test/support/fixtures'
import { kalshiHeaders, plain, RecordingSocket, rebuildKalshi, truthBook } from './clients.ts'

describe('recordings', () => {
  test('replays a kalshi recording on the clock; a client that follows it has the lab’s book', async ({ skip }) => {
    const folder = sharedFixture('kalshi/ws_tape_btc15m/20260513T1610Z')
    if (folder === null) return skip('recordings are missing next to this checkout')
    const clock = new ManualClock()
    const lab = await startLab({ clock, venues: ['kalshi'], ratePerSecond: 0, recordings: folder })
    try {
      const ticker = 'KXBTC15M-26MAY131215-15'
      const socket = await RecordingSocket.open(lab.kalshi.urls.WS, kalshiHeaders(lab.kalshi.credentials, clock.now()))
      socket.send({ id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_tickers: [ticker] } })
      await socket.until(() => socket.frames.length >= 2)
      await expect.poll(() => lab.played() > 0 || clock.advance(20), { timeout: 20_000 }).toBe(true)
      for (let second = 0; second < 20; second++) {
        clock.advance(1000)
        socket.send({ id: 100 + second, cmd: 'list_subscriptions' })
        await socket.until(() => socket.frames.some((frame) => frame.includes(`"id":${100 + second}`)))
      }
      expect(lab.played()).toBeGreaterThan(1000)
      const { books, gaps } = rebuildKalshi(socket.messages(), false)
      expect(gaps).toEqual([])
      expect(plain(books.get(ticker)!)).toEqual(plain(truthBook(lab.kalshi.book(ticker))))
      const { bids, asks } = lab.kalshi.book(ticker)!
      expect(bids.length).toBeGreaterThan(10)
      expect(bids[0]![0]).toBeLessThan(asks[0]![0])
      await socket.close()
    } finally {
      await lab.stop()
    }
    expect(clock.pendingCount).toBe(0)
  })

  test('paired recordings name the same contracts on both venues', async ({ skip }) => {
    const folder = sharedFixture('cross_venue')
    if (folder === null) return skip('recordings are missing next to this checkout')
    const found = findRecordings(folder)
    expect(found.map(({ kind }) => kind)).toEqual(found.map(() => 'pairedTape'))
    const markets = await recordedMarkets(found)
    const clock = new ManualClock()
    const lab = await startLab({ clock, ratePerSecond: 0, recordings: folder })
    try {
      const ids = (venue: string) => markets.filter((market) => market.venue === venue).map(({ id }) => id)
      expect(ids('kalshi').length).toBeGreaterThanOrEqual(4)
      expect(ids('polymarket').length).toBe(ids('kalshi').length)
      await expect.poll(() => lab.played() > 0 || clock.advance(20), { timeout: 20_000 }).toBe(true)
      clock.advance(30_000)
      const booked = [
        ...ids('kalshi').map((id) => lab.kalshi.book(id)),
        ...ids('polymarket').map((id) => lab.polymarket.book(id)),
      ]
      expect(booked.filter((book) => book!.bids.length === 1 && book!.asks.length === 1).length).toBeGreaterThanOrEqual(
        4,
      )
    } finally {
      await lab.stop()
    }
  })

  test('rejects a missing folder', async () => {
    await expect(startLab({ clock: new ManualClock(), recordings: '/no/such/folder' })).rejects.toThrow('no recordings')
  })
})
