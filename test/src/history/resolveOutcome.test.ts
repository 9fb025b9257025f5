import { describe, expect, test } from 'vitest'
import { type OutcomeCatalog, resolveOutcome } from '#history/resolveOutcome'
import type { OutcomeRow } from '#marketData/catalog/catalog'
import type { Market } from '#schemas/market'

const market = (marketId: string, extra: Partial<Market> = {}): Market =>
  ({ marketId, eventId: 'ev', slug: `slug-${marketId}`, ...extra }) as Market
const row = (marketId: string, outcomeId: string, extra: Partial<Market> = {}): OutcomeRow =>
  ({ venue: 'kalshi', outcome: { outcomeId, marketId }, market: market(marketId, extra) }) as OutcomeRow

/** `A` names an outcome of one market, `B` of two, any other id of none. */
const catalog: OutcomeCatalog = {
  async findOutcomes(_venue, outcomeId) {
    if (outcomeId === 'A' || outcomeId === 'a-native') return [row('M1', 'A')]
    if (outcomeId === 'B') return [row('M1', 'B1'), row('M2', 'B2')]
    return []
  },
  async findMarket(_venue, marketId) {
    return marketId === 'M1' || marketId === 'M2' ? market(marketId) : null
  },
}
const resolve = (outcomeId: string, marketId: string | null = null) =>
  resolveOutcome(catalog, { venue: 'kalshi', outcomeId, marketId })

describe('without marketId', () => {
  test('resolves a known id to its canonical form and reads the tape under both', async () => {
    expect(await resolve('A')).toEqual({ outcomeIds: ['A'], marketId: 'M1' })
    expect(await resolve('a-native')).toEqual({ outcomeIds: ['A', 'a-native'], marketId: 'M1' })
  })

  test('ignores a venue prefix, whether the id is known or not', async () => {
    expect(await resolve('kalshi:A')).toEqual({ outcomeIds: ['A', 'kalshi:A'], marketId: 'M1' })
    expect(await resolve('KALSHI:A', 'M1')).toMatchObject({ marketId: 'M1' })
    expect((await resolve('kalshi:unheard-of')).outcomeIds[0]).toBe('unheard-of')
    expect(await resolve('polymarket:A')).toEqual({ outcomeIds: ['polymarket:A'], marketId: undefined })
    await expect(resolve('kalshi:B')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('uses an id unknown to the catalog as it is', async () => {
    expect(await resolve('unheard-of')).toEqual({ outcomeIds: ['unheard-of'], marketId: undefined })
  })

  test('rejects an id on two markets', async () => {
    await expect(resolve('B')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'outcomeId is ambiguous on this venue; pass marketId',
    })
  })
})

describe('with marketId', () => {
  test.each(['M2', 'kalshi:M2', 'KALSHI:M2', 'ev:M2', 'kalshi:ev:M2', 'M2:B2', 'ev/M2', 'slug-M2'])(
    '%s selects the outcome of that market',
    async (marketId) => {
      expect(await resolve('B', marketId)).toEqual({ outcomeIds: ['B2', 'B'], marketId: 'M2' })
    },
  )

  test.each([
    'nope:M2',
    'polymarket:M2',
    'M2:garbage',
    'other:M2',
    'kalshi:nope:M2',
    'kalshi:M2:garbage',
    'nope/M2',
    ':M2',
  ])('%s names no market, although a part of it does', async (marketId) => {
    const refused = { code: 'VALIDATION_ERROR', message: 'outcomeId does not resolve on marketId' }
    await expect(resolve('B', marketId)).rejects.toMatchObject(refused)
    await expect(resolve('unheard-of', marketId)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'marketId cannot be verified for this outcomeId',
    })
  })

  test('rejects a market that does not have the outcome', async () => {
    const refused = { code: 'VALIDATION_ERROR', message: 'outcomeId does not resolve on marketId' }
    await expect(resolve('A', 'M2')).rejects.toMatchObject(refused)
    await expect(resolve('A', 'M9')).rejects.toMatchObject(refused)
    await expect(resolve('unheard-of', 'kalshi:M1')).rejects.toMatchObject(refused)
  })

  test('rejects a pair of ids that are both unknown to the catalog', async () => {
    await expect(resolve('unheard-of', 'M9')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'marketId cannot be verified for this outcomeId',
    })
  })
})
