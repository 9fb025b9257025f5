import { describe, expect, it } from 'vitest'
import type { Event, Market } from '#schemas/market'
import { boundedEvent, boundedMarket, cut, descriptionCharsMax, titleCharsMax } from '#venues/venueText'

const now = Date.UTC(2026, 10, 28)

const market = (more: Partial<Market> = {}): Market =>
  ({
    marketId: 'M',
    eventId: 'E',
    title: 'Will it rain?',
    description: 'By the gauge.\nIn the park.',
    outcomes: [{ outcomeId: 'M', marketId: 'M', label: 'Yes', price: null, bestBid: null, bestAsk: null }],
    status: 'active',
    sourceMetadata: {},
    ...more,
  }) as Market

describe('a venue’s text', () => {
  it('is cut to its length with an ellipsis, never within a character', () => {
    expect(cut('abcde', 5)).toBe('abcde')
    expect(cut('abcdef', 5)).toBe('abcd…')
    expect(cut('abc😀def', 5)).toBe('abc…')
    expect(cut('abc😀def', 6)).toBe('abc😀…')
  })

  it('is bounded in every field of a row', () => {
    const long = 'x'.repeat(1_000_000)
    const given = market({
      title: long,
      description: long,
      category: long,
      tags: Array.from({ length: 500 }, () => long),
      sourceMetadata: { rulesSecondary: long, nested: { list: [long] } },
    })
    given.outcomes[0]!.label = long
    const { outcomes: _, ...rest } = given
    const event = { ...rest, id: 'E', markets: [given] } as unknown as Event
    const bounded = boundedEvent(event, now)
    expect([bounded.title.length, bounded.description.length]).toEqual([titleCharsMax, descriptionCharsMax])
    expect(JSON.stringify(bounded).length).toBeLessThan(250_000)
    expect(bounded.markets[0]!.marketId).toBe('M')
  })

  it('loses control characters; line breaks of a description are kept', () => {
    const given = market({
      title: 'Will\u001b[31m it\r\nrain\u202e?\u0007',
      description: 'One\r\ntwo\u0000\u001b[2J\tthree',
      sourceMetadata: { rules: 'a\u009bb' },
    })
    expect(boundedMarket(given, now)).toMatchObject({
      title: 'Will [31m it rain ?',
      description: 'One\ntwo[2J\tthree',
      sourceMetadata: { rules: 'ab' },
    })
  })

  it('stays unchanged when it is regular', () => {
    const given = market({ sourceMetadata: { fees: { rate: 0.02 }, tokens: ['1', '2'], none: null } })
    expect(boundedMarket(given, now)).toEqual(given)
  })
})

it('a resolved market has no date in the future', () => {
  const resolutionDate = '2026-12-31T00:00:00.000Z'
  expect(boundedMarket(market({ status: 'resolved', resolutionDate }), now)).not.toHaveProperty('resolutionDate')
  expect(boundedMarket(market({ status: 'active', resolutionDate }), now).resolutionDate).toBe(resolutionDate)
  const past = '2026-08-20T16:00:00.000Z'
  expect(boundedMarket(market({ status: 'resolved', resolutionDate: past }), now).resolutionDate).toBe(past)
})
