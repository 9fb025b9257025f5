import { describe, expect, it } from 'vitest'
import { clusterInput, type MatchSources } from '#arbitrage/pairsFromMatches'
import type { Market } from '#schemas/market'
import type { MarketRef, StoredCluster, StoredMatch } from '#schemas/matches'
import { kalshi } from '#venues/kalshi/index'
import { polymarket } from '#venues/polymarket/index'

const token = '7'.repeat(77)
const otherToken = '8'.repeat(77)
const ticker = 'KXBTCD-26DEC22-T100000'

function market(marketId: string, outcomes: [id: string, label: string][], sourceMetadata: Market['sourceMetadata']) {
  return {
    marketId,
    outcomes: outcomes.map(([outcomeId, label]) => ({ outcomeId, marketId, label })),
    sourceMetadata,
  } as Market
}

const markets: Record<string, Market> = {
  'polymarket:500': market(
    '500',
    [
      [token, 'Yes'],
      [otherToken, 'No'],
    ],
    {
      feesEnabled: true,
      feeSchedule: { rate: 0.07, exponent: 1 },
    },
  ),
  [`kalshi:${ticker}`]: market(
    ticker,
    [
      [ticker, 'Yes'],
      [`${ticker}-NO`, 'No'],
    ],
    {
      fees: { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 },
      marketType: 'binary',
    },
  ),
  'polymarket:501': market(
    '501',
    [
      [token, 'Lakers'],
      [otherToken, 'Celtics'],
    ],
    { feesEnabled: false },
  ),
}
const sources: MatchSources = {
  venueOf: (venue) =>
    ({ polymarket: { data: polymarket.data, synthetic: false }, kalshi: { data: kalshi.data, synthetic: false } })[
      venue
    ],
  marketOf: (venue, id) => markets[`${venue}:${id}`],
}

const pair = (a: MarketRef, b: MarketRef, score: number | null = 97): StoredMatch => ({
  a,
  b,
  score,
  band: score === null ? 'unscored' : 'verified',
  polarity: 'same',
  differences: score === null ? [] : [{ kind: 'wording', detail: 'x', points: 100 - score }],
  resolution: { compatible: true, reason: 'same source', auditReasons: ['a'] },
  resolutionEquivalence: 'verified',
  override: null,
})
const kalshiRef: MarketRef = { venue: 'kalshi', marketId: ticker }
const polyRef: MarketRef = { venue: 'polymarket', marketId: '500' }
const cluster = (members: StoredCluster['members'], pairs: StoredMatch[]): StoredCluster => ({
  clusterId: 'm_1',
  question: 'Will it?',
  members,
  pairs,
})

describe('cluster input for the surface', () => {
  it('reads each side from the venue’s own book, or from the complement where both share one book', () => {
    const input = clusterInput(
      cluster(
        [
          { ...kalshiRef, polarity: 'same' },
          { ...polyRef, polarity: 'inverse' },
        ],
        [pair(kalshiRef, polyRef)],
      ),
      sources,
    )
    expect(input.members).toEqual([
      {
        venue: 'kalshi',
        canonicalMarketId: `kalshi:${ticker}`,
        marketId: ticker,
        yesBook: { bookId: ticker, complement: false },
        noBook: { bookId: ticker, complement: true },
        polarity: 'same',
        fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
        settlementFee: { kind: 'none' },
        similarity: 0.97,
      },
      {
        venue: 'polymarket',
        canonicalMarketId: 'polymarket:500',
        marketId: '500',
        yesBook: { bookId: token, complement: false },
        noBook: { bookId: otherToken, complement: false },
        polarity: 'inverse',
        fee: { kind: 'polymarket_curve', rate: 0.07, exponent: 1 },
        settlementFee: { kind: 'none' },
        similarity: 0.97,
      },
    ])
    expect(input.pairs).toEqual([
      {
        a: 'kalshi',
        b: 'polymarket',
        similarity: 0.97,
        matchScore: 97,
        matchBand: 'verified',
        matchDifferences: [{ kind: 'wording', detail: 'x', points: 3 }],
        resolution: { compatible: true, reason: 'same source', auditReasons: ['a'] },
        resolutionEquivalence: 'verified',
      },
    ])
  })

  it('keeps the first of two markets of one venue, and nothing about the second', () => {
    const second: MarketRef = { venue: 'polymarket', marketId: '501' }
    const members = [kalshiRef, polyRef, second].map((ref) => ({ ...ref, polarity: 'same' as const }))
    const input = clusterInput(cluster(members, [pair(kalshiRef, second, 80), pair(kalshiRef, polyRef, 99)]), sources)
    expect(input.members.map(({ marketId }) => marketId)).toEqual([ticker, '500'])
    expect(input.pairs.map(({ matchScore }) => matchScore)).toEqual([99])
  })

  it('has no books and no fees for a market missing in the catalog or a venue that is not served', () => {
    const gone: MarketRef = { venue: 'polymarket', marketId: '999' }
    const foreign: MarketRef = { venue: 'novig', marketId: 'n' }
    const members = [gone, foreign].map((ref) => ({ ...ref, polarity: 'same' as const }))
    const input = clusterInput(cluster(members, [pair(gone, foreign, null)]), sources)
    for (const member of input.members) {
      expect([member.yesBook, member.noBook, member.similarity]).toEqual([null, null, null])
      expect([member.fee.kind, member.settlementFee.kind]).toEqual(['unknown', 'unknown'])
    }
    expect(input.members.map(({ dark }) => dark === true)).toEqual([false, true])
  })

  it('uses the venue’s order for a market whose sides have other names', () => {
    const ref: MarketRef = { venue: 'polymarket', marketId: '501' }
    const [member] = clusterInput(cluster([{ ...ref, polarity: 'same' }], []), sources).members
    expect([member!.yesBook?.bookId, member!.noBook?.bookId]).toEqual([token, otherToken])
    expect(member!.fee).toEqual({ kind: 'none' })
  })
})
