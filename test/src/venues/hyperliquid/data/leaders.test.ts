// The leaderboard is one response of tens of megabytes: what is kept of it, and for how long.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { HttpRequest } from '#net/http'
import { fetchLeaders } from '#venues/hyperliquid/data/leaders'
import type { VenueContext } from '#venues/venueContext'

const walletOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`
const row = (n: number, pnl: number, vlm: number) => ({
  ethAddress: walletOf(n).toUpperCase().replace('0X', '0x'),
  accountValue: '1',
  displayName: n % 2 === 0 ? `name ${n}` : null,
  prize: 0,
  windowPerformances: [
    ['day', { pnl: String(-pnl), roi: '0', vlm: '1' }],
    ['allTime', { pnl: String(pnl), roi: '0', vlm: String(vlm) }],
    ['fortnight', { pnl: '9', roi: '0', vlm: '9' }],
  ],
})

let clock: ManualClock
let requestCount: number
let answer: () => string
let context: VenueContext
beforeEach(() => {
  clock = new ManualClock()
  requestCount = 0
  const rows = Array.from({ length: 500 }, (_, n) => row(n + 1, (n * 37) % 500, (n * 91) % 500))
  answer = () => JSON.stringify({ leaderboardRows: [...rows, { ethAddress: 'nobody' }, 7] })
  context = {
    venue: 'hyperliquid',
    http: {
      async request({ take }: HttpRequest) {
        requestCount++
        const bytes = Buffer.from(answer())
        for (let at = 0; at < bytes.length; at += 1_000) take!(bytes.subarray(at, at + 1_000))
        return { status: 200, headers: {}, body: undefined }
      },
    },
    clock,
    log: silentLog,
    urls: { STATS: 'http://stats' },
    credentials: null,
    signal: new AbortController().signal,
  }
})
const read = (by: 'profit' | 'volume' = 'profit', window: 'all' | 'day' | 'week' = 'all', limit = 100) =>
  fetchLeaders(context, { by, window, limit })

describe('the leaderboard', () => {
  it('has the best hundred of each ranking, whatever the order of the response', async () => {
    const { rows, asOf } = await read()
    expect(rows.map(({ profitUsd }) => profitUsd)).toEqual(Array.from({ length: 100 }, (_, n) => 499 - n))
    expect(rows.slice(0, 2)).toMatchObject([{ rank: 1, window: 'all', venue: 'hyperliquid' }, { rank: 2 }])
    expect(rows.every(({ wallet }) => /^0x[0-9a-f]{40}$/.test(wallet))).toBe(true)
    expect(rows.some(({ displayName }) => displayName?.startsWith('name'))).toBe(true)
    expect(asOf).toBe(clock.now())
    expect((await read('volume')).rows[0]!.volumeUsd).toBe(499)
    expect((await read('profit', 'day', 1)).rows).toMatchObject([{ profitUsd: 0, window: 'day' }])
    expect((await read('profit', 'week')).rows).toEqual([])
    expect(requestCount).toBe(1)
  })

  it('is read once for concurrent requests, and again after ten minutes', async () => {
    await Promise.all([read(), read('volume'), read('profit', 'day')])
    expect(requestCount).toBe(1)
    clock.advance(600_000)
    await read()
    expect(requestCount).toBe(2)
  })

  it('is served for an hour, with its original time, while it cannot be refreshed', async () => {
    const { asOf } = await read()
    answer = () => '{"leaderboardRows":[{"half'
    clock.advance(1_200_000)
    expect((await read()).asOf).toBe(asOf)
    clock.advance(2_400_000)
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'hyperliquid' })
  })

  it.each([
    ['HTML', '<html></html>'],
    ['rows of another format', '{"leaderboardRows":[{"user":1},{"user":2}]}'],
  ])('that is %s is an outage', async (_, text) => {
    answer = () => text
    await expect(read()).rejects.toBeInstanceOf(Fault)
  })
})
