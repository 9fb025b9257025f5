import { describe, expect, test } from 'vitest'
import { parseReplayParams, type ReplayParams } from '#history/replayParams'

const good: ReplayParams = {
  venue: 'polymarket',
  outcomeId: '123',
  kind: 'tob',
  since: '2026-06-07T00:00:00Z',
  until: '2026-06-08T00:00:00Z',
}
const refusal = (change: ReplayParams) => {
  try {
    parseReplayParams({ ...good, ...change })
  } catch (error) {
    return { code: (error as { code: string }).code, message: (error as Error).message }
  }
  return null
}

describe('a replay request', () => {
  test('has defaults, and accepts ISO times and epoch milliseconds', () => {
    const expected = {
      venue: 'polymarket',
      outcomeId: '123',
      marketId: null,
      kind: 'tob',
      resolution: undefined,
      sinceMs: Date.UTC(2026, 5, 7),
      untilMs: Date.UTC(2026, 5, 8),
      limit: 5_000,
      cursor: null,
      format: 'ndjson',
    }
    expect(parseReplayParams(good)).toEqual(expected)
    expect(parseReplayParams({ ...good, since: '1780790400000', until: '2026-06-08' })).toEqual(expected)
    expect(parseReplayParams({ ...good, venue: 'PolyMarket', since: '2026-06-07T02:00:00+02:00' })).toEqual(expected)
    expect(parseReplayParams({ ...good, since: '2026-06-07T00:00:00' })).toEqual(expected)
  })

  test('accepts a window of 0 ms to exactly 31 days', () => {
    expect(refusal({ until: '2026-07-08T00:00:00Z' })).toBeNull()
    expect(refusal({ until: '2026-07-08T00:00:00.001Z' })?.message).toMatch('31 days')
    expect(refusal({ until: good.since })).toBeNull()
    expect(refusal({ until: '2026-06-06T23:59:59.999Z' })?.message).toMatch('before since')
  })

  test.each([
    ['venue', undefined],
    ['venue', 'router'],
    ['outcomeId', undefined],
    ['outcomeId', ''],
    ['outcomeId', 'x'.repeat(257)],
    ['marketId', ''],
    ['kind', undefined],
    ['kind', 'books'],
    ['since', undefined],
    ['since', 'yesterday'],
    ['since', '-1'],
    ['since', '2026-13-01'],
    ['until', '99999999999999'],
    ['until', '1e12'],
    ['limit', '0'],
    ['limit', '20001'],
    ['limit', '1.5'],
    ['limit', '-5'],
    ['limit', ''],
    ['resolution', '1m'],
  ] as const)('rejects %s = %j with VALIDATION_ERROR', (name, value) => {
    expect(refusal({ [name]: value })?.code).toBe('VALIDATION_ERROR')
  })

  test.each(['nonsense', 'smarkets', 'predictit', 'kalshi-demo'])(
    'rejects venue %s with EXCHANGE_NOT_AVAILABLE',
    (venue) => {
      expect(refusal({ venue })?.code).toBe('EXCHANGE_NOT_AVAILABLE')
    },
  )

  test('requires one of the seven replayable resolutions for candles', () => {
    for (const resolution of ['1s', '5s', '10s', '30s', '1m', '1h', '1d'])
      expect(parseReplayParams({ ...good, kind: 'candles', resolution }).resolution).toBe(resolution)
    for (const resolution of [undefined, '5m', '15m', '30m', '4h', '6h', '1M', ''])
      expect(refusal({ kind: 'candles', resolution })?.code).toBe('VALIDATION_ERROR')
  })
})
