import { describe, expect, it } from 'vitest'
import { type FactSources, structureFacts } from '#arbitrage/structures/marketFacts'
import { linkedMarkets, structureSets } from '#arbitrage/structures/sets'
import type { Market } from '#schemas/market'
import { implies, no, outcomes, same, yes } from './parts.ts'

const row = (marketId: string, words: Partial<Market> = {}): Market =>
  ({
    marketId,
    title: `Will ${marketId} happen?`,
    status: 'active',
    tickSize: 0.01,
    outcomes: [
      { outcomeId: `${marketId}-y`, marketId, label: 'Yes' },
      { outcomeId: `${marketId}-n`, marketId, label: 'No' },
    ],
    sourceMetadata: {},
    ...words,
  }) as Market

const sources = (market: Market | undefined, data: object = {}): FactSources => ({
  venueOf: (venue) =>
    venue === 'dark'
      ? undefined
      : {
          synthetic: false,
          data: {
            bookRef: (outcomeId) => ({ bookId: outcomeId.slice(0, -2), complement: outcomeId.endsWith('-n') }),
            feeModel: () => ({ fee: { kind: 'none' }, settlementFee: { kind: 'none' } }),
            orderSizes: () => ({ step: 1, minimum: 5 }),
            ...data,
          },
        },
  marketOf: () => market,
})

describe('the facts of a market', () => {
  it('are its books, fees, tick and sizes, in micros and hundredths', () => {
    expect(structureFacts('kalshi:a', sources(row('a')))).toEqual({
      market: {
        key: 'kalshi:a',
        venue: 'kalshi',
        fee: { kind: 'none' },
        settlementFee: { kind: 'none' },
        tickMicros: 10_000,
        stepUnits: 100,
        minimumUnits: 500,
        minimumMicros: 0,
        minimumOtherMicros: 0,
      },
      title: 'Will a happen?',
      yesBook: { bookId: 'a', complement: false },
      noBook: { bookId: 'a', complement: true },
      refused: null,
    })
  })

  const unknown = { kind: 'unknown', reason: 'not published' }
  it.each([
    ['dark:a', row('a'), {}, 'venue_not_served'],
    ['kalshi:a', undefined, {}, 'not_in_catalog'],
    ['kalshi:a', row('a', { status: 'resolved' }), {}, 'not_open'],
    ['kalshi:a', row('a', { outcomes: [] }), {}, 'no_yes_and_no'],
    ['kalshi:a', row('a'), { feeModel: () => ({ fee: unknown, settlementFee: { kind: 'none' } }) }, 'fee_unknown'],
    [
      'kalshi:a',
      row('a'),
      { feeModel: () => ({ fee: { kind: 'none' }, settlementFee: unknown }) },
      'settlement_fee_unknown',
    ],
    ['kalshi:a', row('a', { tickSize: null }), {}, 'tick_unknown'],
    ['kalshi:a', row('a'), { orderSizes: undefined }, 'order_size_unknown'],
    ['kalshi:a', row('a'), { orderSizes: () => null }, 'order_size_unknown'],
  ] as const)('%s is not bought when something is missing, with the reason: %#', (key, market, data, refused) => {
    expect(structureFacts(key, sources(market as Market | undefined, data))).toMatchObject({
      refused,
      yesBook: null,
      noBook: null,
      market: { key, fee: { kind: 'unknown' } },
    })
  })

  it.each([
    [{ step: 0.01, minimum: 5, minimumDollars: 1 }, 1, 500, 1_000_000, 0],
    [{ step: 0.001, minimum: 0.001 }, 1, 1, 0, 0],
    [{ step: 0.5, minimum: 0.7 }, 50, 100, 0, 0],
    [{ step: 1, minimum: 1, minimumDollars: 0.05 }, 100, 100, 50_000, 0],
    [{ step: 1, minimum: 1, minimumDollars: 10, minimumOtherDollars: 10 }, 100, 100, 10_000_000, 10_000_000],
  ])(
    'sizes %o give a step of %i, a minimum of %i hundredths and %i micro-dollars, and %i for the other outcome',
    (sizes, stepUnits, minimumUnits, minimumMicros, minimumOtherMicros) => {
      expect(structureFacts('k:a', sources(row('a'), { orderSizes: () => sizes })).market).toMatchObject({
        stepUnits,
        minimumUnits,
        minimumMicros,
        minimumOtherMicros,
      })
    },
  )
})

describe('sets of markets', () => {
  const factsOf = (key: string) => structureFacts(key, sources(row(key)))

  it('are connected by relations; equal markets alone and hidden relations form none', () => {
    const relations = [
      implies('k:a', 'p:b'),
      same('p:b', 'l:c'),
      same('k:x', 'p:x'),
      implies('k:h', 'p:h', 'hidden'),
      outcomes('o', [yes('k:1'), yes('k:2'), no('k:3')]),
    ]
    const { sets, overLimit } = structureSets(relations, factsOf)
    expect(sets.map(({ name, facts }) => [name, facts.map(({ market }) => market.key)])).toEqual([
      ['k:1', ['k:1', 'k:2', 'k:3']],
      ['k:a', ['k:a', 'l:c', 'p:b']],
    ])
    expect(sets[1]!.relations).toEqual(relations.slice(0, 2))
    expect(overLimit).toBe(0)
  })

  it('are limited: verified ones first, and the number left out is counted', () => {
    const relations = [implies('k:a', 'k:b', 'minor'), implies('k:c', 'k:d'), implies('k:e', 'k:f')]
    expect(linkedMarkets(relations, 2)).toMatchObject({ sets: [{ name: 'k:c' }, { name: 'k:e' }], overLimit: 1 })
    const wide = outcomes(
      'wide',
      Array.from({ length: 161 }, (_, i) => yes(`k:${i}`)),
    )
    expect(linkedMarkets([wide])).toEqual({ sets: [], overLimit: 0, tooManyMarkets: 1 })
  })

  it('report markets where nothing can be bought', () => {
    const { refused } = structureSets([implies('k:a', 'dark:b')], (key) => structureFacts(key, sources(row(key))))
    expect(refused).toEqual([{ market: 'dark:b', reason: 'venue_not_served' }])
  })
})
