// Recorded events of one venue, and recorded output of scanners that added up brackets: which relations are found, and
// which are rejected and why. The fixtures hold the scanner logs `arb_scan` and `combi_arb`, but no `nested_arb`
// (nested dates and thresholds); eventRelations.test.ts covers those with made-up ladders.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Relation } from '#arbitrage/structures/input'
import { eventRelations, type MatchInput, marketKey, readQuestion } from '#matching/candidateIndex'
import { sharedFixture } from '#test/support/fixtures'

const skipped = '(skipped where ../shared/fixtures is absent)'
const scan = sharedFixture('cross_venue/arbitrage/arb_scan_2026-07-01.csv')
const rules = sharedFixture('cross_venue/arbitrage/combi_arb_2026-07-01.csv')
const spreads = sharedFixture('kalshi/rest/kalshi_spread_events.json.gz')
const open = sharedFixture('kalshi/rest/raw_kalshi_response.json.gz')

function related(markets: readonly MatchInput[], exclusive: boolean): Relation[] {
  const [{ venue }] = markets as [MatchInput]
  return eventRelations({
    venue,
    eventId: 'E',
    markets: markets.map((market) => readQuestion(market)),
    exclusive: exclusive ? markets.map(marketKey) : [],
    listing: { open: null, grows: null },
  })
}

const questionOf = (marketId: string, title: string): MatchInput => ({ venue: 'polymarket', marketId, title })
const dollars = (amount: number): string => `$${amount.toLocaleString('en-US')}`

describe.skipIf(scan === null)(`brackets of one day's price that a scanner added up ${skipped}`, () => {
  const lines = scan === null ? [] : readFileSync(scan, 'utf8').trim().split(/\r?\n/).slice(1)
  const events = new Map(
    lines.map((line) => {
      const [, , , event = '', , count, , , , , , low, high] = line.split(',')
      return [`${event} ${low} ${high}`, { event, count: Number(count), low: Number(low), high: Number(high) }]
    }),
  )

  /** In the wording of the venue, from the lowest bound to the highest. */
  function ladder({ event, count, low, high }: { event: string; count: number; low: number; high: number }) {
    const [, coin, day] = /^(\S+) price on (.+)\?$/.exec(event) ?? []
    const ends = Array.from({ length: count + 1 }, (_, at) => low + (at * (high - low)) / count)
    const price = `Will the price of ${coin} be`
    const ranges = ends
      .slice(1)
      .map((end, at) =>
        questionOf(`r${at}`, `${price} between ${dollars(ends[at]!)} and ${dollars(end)} on ${day}, 2026?`),
      )
    return {
      ranges,
      under: questionOf('under', `${price} less than ${dollars(low)} on ${day}, 2026?`),
      over: questionOf('over', `${price} ${dollars(high)} or above on ${day}, 2026?`),
    }
  }
  // Some rows give the bounds of fewer brackets than they count; only whole steps are brackets.
  const cases = [...events.values()].filter(
    ({ count, low, high }) => high > low && Number.isInteger((high - low) / count),
  )

  test('does not report brackets as complete without the two open ends', () => {
    expect(cases.length).toBeGreaterThan(10)
    for (const each of cases) {
      const found = related(ladder(each).ranges, true)
      expect(found.length).toBeGreaterThan(0)
      expect(found.every((relation) => relation.kind === 'outcomes' && !relation.complete)).toBe(true)
      expect(found.flatMap((relation) => (relation.kind === 'outcomes' ? [relation.members.length] : []))).toContain(9)
    }
  })

  test('reports nothing for brackets that share a bound, unless the venue says exclusive', () => {
    for (const each of cases.slice(0, 6)) {
      const found = related(ladder(each).ranges, false)
      const together = (relation: Relation): boolean =>
        relation.kind === 'outcomes' &&
        ['r0', 'r1'].every((id) => relation.members.some(({ market }) => market.endsWith(`:${id}`)))
      expect(found.filter(together)).toEqual([])
    }
  })

  test('reports brackets as complete together with the open ends', () => {
    for (const each of cases) {
      const { ranges, under, over } = ladder(each)
      const found = related([under, ...ranges, over], true)
      const whole = found.filter((relation) => relation.kind === 'outcomes' && relation.complete)
      expect(whole, each.event).toMatchObject([{ band: 'verified' }])
      expect(whole[0]?.kind === 'outcomes' && whole[0].members).toHaveLength(11)
    }
  })
})

describe.skipIf(rules === null)(`rules between markets that a scanner logged ${skipped}`, () => {
  const rows = (rules === null ? '' : readFileSync(rules, 'utf8'))
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1] ?? m[2] ?? ''))
    .map(([, kind = '', , a = '', b = '', titleA = '', titleB = '']) => ({
      kind,
      title: titleA,
      markets: [questionOf(a, titleA), questionOf(b, titleB)],
    }))

  test('finds that the higher threshold implies the lower, with band minor for touched prices', () => {
    for (const { title, markets } of rows.filter(({ kind }) => kind === 'MONOTONICITY')) {
      const [low, high] = markets.map(marketKey)
      const found = related(markets, false)
      // Two listings of one question.
      if (markets[0]!.title === markets[1]!.title) expect(found).toMatchObject([{ kind: 'same', band: 'verified' }])
      else
        expect(found, title).toMatchObject([
          { kind: 'a_implies_b', a: high, b: low, band: / reach /.test(title) ? 'minor' : 'verified' },
        ])
    }
  })

  test('does not infer a launch from a valuation', () => {
    const dependent = rows.filter(({ kind }) => kind === 'RULE_DEPENDENCY')
    expect(dependent).toHaveLength(2)
    for (const { markets } of dependent) expect(related(markets, false)).toEqual([])
  })
})

/** Field names of the venue's two interfaces. */
interface RecordedMarket {
  ticker?: string
  ticker_name?: string
  title: string
  yes_sub_title?: string
  close_time?: string
  close_date?: string
  strike_type?: MatchInput['strikeType']
  floor_strike?: number | null
  cap_strike?: number | null
}

interface Listed {
  title: string
  mutually_exclusive?: boolean
  markets: RecordedMarket[]
}

const recorded = (path: string | null): unknown =>
  path === null ? [] : JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'))

const inputOf = (event: string, market: RecordedMarket): MatchInput => ({
  venue: 'kalshi',
  marketId: String(market.ticker ?? market.ticker_name),
  title: market.title,
  subtitle: market.yes_sub_title || null,
  eventTitle: event,
  closeTime: market.close_time ?? market.close_date,
  strikeType: market.strike_type,
  floorStrike: market.floor_strike,
  capStrike: market.cap_strike,
})

describe.skipIf(spreads === null)(`handicaps of 240 events ${skipped}`, () => {
  test('builds one ladder per team: larger wins imply smaller ones, and the smallest wins of both teams exclude each other', () => {
    let found = 0
    let rivals = 0
    for (const { event, markets } of recorded(spreads) as { event: Listed; markets: Listed['markets'] }[]) {
      const inputs = markets.map((market) => inputOf(event.title, market))
      const at = new Map(inputs.map((input) => [marketKey(input), input]))
      const team = ({ marketId }: MatchInput): string => marketId.replace(/\d+$/, '')
      for (const relation of related(inputs, false)) {
        expect(relation).toMatchObject({ kind: expect.stringMatching(/^(?:a_implies_b|exclusive)$/), band: 'verified' })
        if (relation.kind !== 'a_implies_b' && relation.kind !== 'exclusive') continue
        const [narrow, wide] = [at.get(relation.a)!, at.get(relation.b)!]
        if (relation.kind === 'exclusive') {
          expect(team(narrow)).not.toBe(team(wide))
          for (const one of [narrow, wide])
            for (const other of inputs.filter((each) => team(each) === team(one)))
              expect(one.floorStrike).toBeLessThanOrEqual(other.floorStrike!)
          rivals++
          continue
        }
        expect(narrow.floorStrike).toBeGreaterThan(wide.floorStrike!)
        expect(team(narrow)).toBe(team(wide))
        found++
      }
    }
    expect(found).toBeGreaterThan(500)
    expect(rivals).toBeGreaterThan(100)
  })
})

describe.skipIf(open === null)(`a hundred open events ${skipped}`, () => {
  const events = open === null ? [] : (recorded(open) as { events: Listed[] }).events
  const of = (title: string): MatchInput[] => {
    const event = events.find((each) => each.title === title)!
    return event.markets.map((market) => inputOf(event.title, market))
  }

  test('orders deadlines and thresholds', () => {
    const fusion = related(of('When will nuclear fusion be achieved?'), false)
    expect(fusion.map(({ id }) => id.replace(/^.*ladder:/, ''))).toEqual([
      'KXFUSION-30-JAN01>KXFUSION-35-JAN01',
      'KXFUSION-35-JAN01>KXFUSION-40-JAN01',
    ])
    const highs = related(of('How high will unemployment get before 2030?'), false)
    expect(highs.length).toBeGreaterThan(7)
    expect(highs.every(({ kind }) => kind === 'a_implies_b')).toBe(true)
  })

  test('does not relate the goals of 2025 to those of 2030', () => {
    const goals = events.filter(({ title }) => /climate goals/.test(title))
    expect(goals.length).toBeGreaterThan(0)
    for (const { title } of goals) expect(related(of(title), false), title).toEqual([])
  })

  test('does not report candidates as complete, even where the venue says exclusive', () => {
    const contests = events.filter(
      ({ mutually_exclusive, markets }) => mutually_exclusive === true && markets.length > 1,
    )
    expect(contests.length).toBeGreaterThan(15)
    for (const { title } of contests)
      for (const relation of related(of(title), true))
        if (relation.kind === 'outcomes') expect(relation.complete, title).toBe(false)
  })
})

test('does not read a price of $2000 as a year', () => {
  const [low, high] = [
    questionOf('low', 'Will gold be above $1900 on July 4, 2026?'),
    questionOf('high', 'Will gold be above $2000 on July 4, 2026?'),
  ]
  expect(related([low!, high!], false)).toMatchObject([
    { kind: 'a_implies_b', a: 'polymarket:high', b: 'polymarket:low' },
  ])
})
