// The demo's question in two wordings: the matcher leaves it open, and one decision makes it a verified pair whose prices cross.
import { expect, test } from 'vitest'
import { buildCatalog } from '#lab/catalog/catalog'
import type { EventSeed } from '#lab/catalog/questions'
import { relatedEvents } from '#lab/catalog/related'
import { compareMarkets } from '#matching/compare/compare'
import type { TemplateDecision } from '#matching/decide/templates/templateDecision'
import { IncrementalMatcher } from '#matching/incrementalMatcher'
import type { MatchInput } from '#matching/read/input'

const now = Date.UTC(2026, 10, 23)

interface Listed {
  inputs: MatchInput[]
  /** The reworded one, and its price. */
  own: MatchInput
  price: number
}

/** All open markets of a venue of the demo, as the matcher reads them. */
function listed(venue: string, related: readonly EventSeed[]): Listed {
  const rows = buildCatalog(venue, { seed: 'demo', nowMs: now, related }).flatMap((event) =>
    event.markets
      .filter(({ status }) => status === 'open')
      .map(({ key, label, question, anchorMicros }) => ({
        price: anchorMicros / 1e6,
        input: {
          ...{ venue, marketId: key, title: question, subtitle: label, eventTitle: event.title, rules: event.rules },
          ...{ closeTime: event.endMs, eventId: event.key, exclusive: event.exclusive },
        },
      })),
  )
  const { input, price } = rows.find((row) => row.input.marketId.startsWith('related-reworded-'))!
  return { inputs: rows.map((row) => row.input), own: input, price }
}

const kalshi = listed('kalshi', relatedEvents.higher)
const polymarket = listed('polymarket', relatedEvents.lower)
const run = { previous: [], overrides: [], full: true, now }

test('is open until one decision verifies it, and its prices cross by more than fees', () => {
  expect(['minor', 'material']).toContain(compareMarkets(kalshi.own, polymarket.own, now).matchBand)
  const matcher = new IncrementalMatcher()
  matcher.put([...kalshi.inputs, ...polymarket.inputs])
  const open = matcher
    .run(run)
    .openTemplates.find(({ examples }) => examples.some(({ a }) => a.includes('related-reworded-')))
  expect([open?.pair.a, open?.pair.b]).toEqual([
    'Will {person 1} mentor {person 2} {date}?',
    'Will {person 1} take {person 2} on as a trainee {date}?',
  ])
  const decision: TemplateDecision = {
    a: open!.pair.a,
    b: open!.pair.b,
    verdict: 'same',
    relation: 'identity',
    reasons: [],
    evidence: [],
    decidedAt: '2026-11-23T00:00:00Z',
    decidedBy: 'ann',
    source: 'operator',
  }
  const { pairs } = matcher.run({ ...run, decisions: [decision] })
  const pair = pairs.find((row) => row.a_market_id === kalshi.own.marketId)
  expect(pair).toMatchObject({ b_market_id: polymarket.own.marketId, band: 'verified', polarity: 'same' })
  expect(pair?.resolution_equivalence).toBe('verified')
  expect(polymarket.price - kalshi.price).toBeGreaterThan(0.1)
})
