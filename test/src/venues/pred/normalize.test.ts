import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { pred } from '#venues/pred/index'
import { normalizeEvent, normalizeMarket } from '#venues/pred/normalize'
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
  test('is a market of its long and its short side, on one book that both its names read', () => {
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

  test('tells the venue’s running total, and no day’s volume: that is made of it', () => {
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
  ])('that is %s, of a parent that is %s, is %s', (status, parent, expected) => {
    expect(marketOf({ status }, { status: parent }).status).toBe(expected)
  })

  test.each([
    ['55', 0.55],
    ['0.5', 0.005],
    ['99.99', 0.9999],
    // Nobody can have traded at these.
    ['0', null],
    ['100', null],
    ['x', null],
    [null, null],
  ])('last traded at %s cents stands at %s', (ltp, price) => {
    expect(marketOf({ ltp }).outcomes[0]!.price).toBe(price)
  })

  test('that is resolved has no price: who won is not told', () => {
    expect(marketOf({ status: 'resolved', ltp: '99' }).outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test('says that levels of its siblings may be in its book, where it has some', () => {
    expect(marketOf().sourceMetadata).toMatchObject({ crossMatchedLevels: 'possible' })
    expect(marketOf({}, {}, 1).sourceMetadata).not.toHaveProperty('crossMatchedLevels')
    // They can be traded at: no rebuilt book.
    expect(marketOf().sourceMetadata).not.toHaveProperty('synthetic')
  })

  test.each([
    ['0', 'Roma vs Atalanta: Team 2'],
    ['', 'Roma vs Atalanta: Team 2'],
    ['2.5', 'Roma vs Atalanta 2.5: Team 2'],
    ['-1.5', 'Roma vs Atalanta -1.5: Team 2'],
    [2.5, 'Roma vs Atalanta 2.5: Team 2'],
  ])('on the line %j is called %s', (market_line, title) => {
    expect(marketOf({}, { market_line }).title).toBe(title)
  })
})

test('an event has what its fixture says', () => {
  expect(Event.parse(eventOf())).toMatchObject({
    id: hash(1),
    slug: 'roma-vs-atalanta-2026-04-18',
    volume: 125_000.5,
    volume24h: null,
    sourceMetadata: { leagueId: 'serie-a', gameStartTime: '2026-04-18T16:45:00.000Z', homeTeamScore: 0 },
  })
})

describe('no documented field is lost', () => {
  const ignored: Record<string, string> = {
    theme_color: 'a colour',
    team_data: 'pictures and colours of teams',
    markets: 'normalised by themselves',
  }
  const kept = (row: object, normalize: (more: object) => unknown): string[] => {
    const whole = JSON.stringify(normalize({}))
    return Object.keys(row).filter((name) => {
      try {
        return JSON.stringify(normalize({ [name]: null })) === whole
      } catch {
        // It cannot be done without.
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

test('a leg is not priced: nobody says what is taken', () => {
  const { fee, settlementFee } = pred.data.feeModel()
  expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
})
