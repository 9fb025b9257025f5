import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { normalizeEvent, normalizeMarket } from '#venues/pred/data/normalize'
import { pred } from '#venues/pred/index'
import { PredChild, PredEntry, PredParent } from '#venues/pred/wire'
import { childDetails, entryRow, hash, parentDetails } from './rows.ts'

const marketId = `${hash(1)}-${hash(2)}`
const marketOf = (child: object = {}, parent: object = {}, siblings = 3): Market =>
  Market.parse(
    normalizeMarket(PredChild.parse(childDetails(2, child)), PredParent.parse(parentDetails(parent)), siblings),
  )
const eventOf = (parent: object = {}, entry: object = {}) =>
  normalizeEvent(PredParent.parse(parentDetails(parent)), [], PredEntry.parse(entryRow(entry)))

describe('a child', () => {
  test('is a market with a long and a short side on one book', () => {
    expect(marketOf()).toMatchObject({
      marketId,
      eventId: hash(1),
      title: 'Roma vs Atalanta: Team 2',
      description: 'Pays if the team wins.',
      status: 'active',
      resolutionDate: '2026-04-18T18:45:00.000Z',
      contractAddress: '0x1938Af63B717B80ea62ccB4CCBf799F8a28dEFB0',
      tickSize: 0.01,
      outcomes: [
        { outcomeId: `${marketId}-long`, label: 'Yes', price: 0.55, bestBid: null, bestAsk: null },
        { outcomeId: `${marketId}-short`, label: 'No', price: 0.45, bestBid: null, bestAsk: null },
      ],
    })
    const { bookRef, marketBook } = pred.data
    expect(bookRef(`${marketId}-long`)).toEqual({ bookId: marketId, complement: false })
    expect(bookRef(`${marketId}-short`, marketId)).toEqual({ bookId: marketId, complement: true })
    expect(marketBook(marketId)).toEqual({ bookId: marketId, complement: false })
    for (const other of [hash(1), `${hash(1)}-long`, `${marketId}-x`, '']) expect(bookRef(other)).toBeNull()
  })

  test('has the venue’s lifetime volume, and no 24h volume, which is derived from it elsewhere', () => {
    const { volume, volume24h, volume24hSource } = marketOf()
    expect([volume, volume24h, volume24hSource]).toEqual([42_000.25, null, undefined])
    expect(marketOf({ volume: '0' }).volume).toBe(0)
    expect(marketOf({ volume: undefined }).volume).toBeNull()
  })

  test.each([
    ['active', 'active', 'active'],
    ['active', 'resolved', 'resolved'],
    ['active', 'paused', 'unknown'],
    ['resolved', 'active', 'resolved'],
    ['redeemed', 'active', 'resolved'],
    ['brand_new', 'active', 'unknown'],
    [null, 'active', 'unknown'],
  ])('child status %s with parent status %s gives %s', (status, parent, expected) => {
    expect(marketOf({ status }, { status: parent }).status).toBe(expected)
  })

  test.each([
    ['55', 0.55],
    ['0.5', 0.005],
    ['99.99', 0.9999],
    // No trade is possible at these prices.
    ['0', null],
    ['100', null],
    ['x', null],
    [null, null],
  ])('with a last trade at %s cents is priced at %s', (ltp, price) => {
    expect(marketOf({ ltp }).outcomes[0]!.price).toBe(price)
  })

  test('that is resolved has no price, because the winner is not published', () => {
    expect(marketOf({ status: 'resolved', ltp: '99' }).outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test('is marked when its book may contain levels of its siblings', () => {
    expect(marketOf().sourceMetadata).toMatchObject({ crossMatchedLevels: 'possible' })
    expect(marketOf({}, {}, 1).sourceMetadata).not.toHaveProperty('crossMatchedLevels')
    // Those levels are tradable, so the book is not synthetic.
    expect(marketOf().sourceMetadata).not.toHaveProperty('synthetic')
  })

  test.each([
    ['0', 'Roma vs Atalanta: Team 2'],
    ['', 'Roma vs Atalanta: Team 2'],
    ['2.5', 'Roma vs Atalanta 2.5: Team 2'],
    ['-1.5', 'Roma vs Atalanta -1.5: Team 2'],
    [2.5, 'Roma vs Atalanta 2.5: Team 2'],
  ])('with the line %j is titled %s', (market_line, title) => {
    expect(marketOf({}, { market_line }).title).toBe(title)
  })
})

test('an event has the data of its fixture', () => {
  expect(Event.parse(eventOf())).toMatchObject({
    id: hash(1),
    slug: 'roma-vs-atalanta-2026-04-18',
    volume: 125_000.5,
    volume24h: null,
    sourceMetadata: { leagueId: 'serie-a', gameStartTime: '2026-04-18T16:45:00.000Z', homeTeamScore: 0 },
  })
})

describe('every documented field is kept', () => {
  const ignored: Record<string, string> = {
    theme_color: 'a colour',
    team_data: 'team pictures and colours',
    markets: 'normalised separately',
  }
  const kept = (row: object, normalize: (more: object) => unknown): string[] => {
    const whole = JSON.stringify(normalize({}))
    return Object.keys(row).filter((name) => {
      try {
        return JSON.stringify(normalize({ [name]: null })) === whole
      } catch {
        // A required field.
        return false
      }
    })
  }
  const fixture = entryRow().fixture
  test.each([
    ['child', kept(childDetails(2), (more) => marketOf(more))],
    ['parent', kept(parentDetails(), (more) => [marketOf({ rules: '', logo_url: '' }, more), eventOf(more)])],
    ['entry', kept(entryRow(), (more) => eventOf({}, more))],
    ['fixture', kept(fixture, (more) => eventOf({}, { fixture: { ...fixture, ...more } }))],
  ])('of a %s', (_, lost) => {
    expect(lost.filter((name) => !(name in ignored))).toEqual([])
  })
})

test('a leg is not priced, because the fee is unpublished', () => {
  const { fee, settlementFee } = pred.data.feeModel()
  expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
})
