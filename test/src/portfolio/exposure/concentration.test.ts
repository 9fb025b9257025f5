import { describe, expect, it } from 'vitest'
import { concentration } from '#portfolio/exposure/concentration'
import { holdingsOf } from '#portfolio/exposure/holdings'
import { eventKey, venueKey } from '#portfolio/exposure/rows'
import { parseAmount } from '#portfolio/ledger/amounts'
import { facts, position } from './parts.ts'

const holdings = (positions: Parameters<typeof holdingsOf>[0], events: Record<string, string> = {}) =>
  holdingsOf(
    positions,
    new Map(
      positions.map(({ venue, marketId }) =>
        facts(`${venue}:${marketId}`, { eventId: events[`${venue}:${marketId}`] ?? null }),
      ),
    ),
  ).holdings

describe('concentration', () => {
  it('is the share of the capital used, largest first', () => {
    const parts = concentration(
      holdings([
        position('kalshi:A/yes', '10', '1'),
        position('polymarket:B/yes', '10', '6'),
        position('kalshi:C/no', '10', '1'),
      ]),
      venueKey,
    )
    expect(parts.map(({ key, share, capital }) => [key.venue, share, capital.known])).toEqual([
      ['polymarket', 0.75, parseAmount('6')],
      ['kalshi', 0.25, parseAmount('2')],
    ])
  })

  it('leaves unknown costs out and counts them; a short reduces the capital of its place', () => {
    const parts = concentration(
      holdings([
        position('kalshi:A/yes', '10', null),
        position('kalshi:B/yes', '10', '4'),
        position('polymarket:C/yes', '-10', '-3'),
        position('polymarket:D/yes', '10', '2'),
      ]),
      venueKey,
    )
    expect(parts.map(({ key, share, capital }) => [key.venue, share, capital])).toEqual([
      ['kalshi', 1, { known: parseAmount('4'), unknown: 1 }],
      ['polymarket', 0, { known: parseAmount('-1'), unknown: 0 }],
    ])
  })

  it('has no share where no cost is known, and none across currencies', () => {
    const parts = concentration(
      holdings([
        position('kalshi:A/yes', '10', null),
        position('polymarket:B/yes', '10', '1', { currency: 'PTS' }),
        position('polymarket:C/yes', '10', '3', { currency: 'PTS' }),
      ]),
      ({ market }) => ({ name: market, key: market }),
    )
    expect(parts.map(({ key, share }) => [key, share])).toEqual([
      ['polymarket:C', 0.75],
      ['polymarket:B', 0.25],
      ['kalshi:A', null],
    ])
  })

  it('puts the markets of an event together, and a market without one alone', () => {
    const parts = concentration(
      holdings(
        [
          position('kalshi:A/yes', '10', '1'),
          position('kalshi:B/yes', '10', '1'),
          position('kalshi:C/yes', '10', '1'),
          position('polymarket:D/yes', '10', '0.5'),
        ],
        { 'kalshi:A': 'e', 'kalshi:B': 'e', 'polymarket:D': 'e' },
      ),
      eventKey,
    )
    expect(parts.map(({ key, holdings: held }) => [key, held.length])).toEqual([
      [{ venue: 'kalshi', eventId: 'e', market: null }, 2],
      [{ venue: 'kalshi', eventId: null, market: 'kalshi:C' }, 1],
      [{ venue: 'polymarket', eventId: 'e', market: null }, 1],
    ])
  })
})
