import { describe, expect, test } from 'vitest'
import { evaluate } from '#test/support/evalMatching'
import { half, parsePairs } from '#test/support/labelledPairs'

const row = (fields: object): string => JSON.stringify(fields)

describe('labelled pairs', () => {
  test('reads the corpus layout line by line, with only the titles required', () => {
    const [first, second] = parsePairs(
      `${row({ kalshi_title: 'Will A win?', polymarket_title: 'Will A not win?', label: 'true_match', polarity: 'inverted', kalshi_id: 'K', kalshi_close_time: '2026-01-01' })}\n${row({ kalshi_title: 'x', polymarket_title: 'y', label: 'false_match', polarity: 'unknown' })}\n`,
      'pairs.jsonl',
    )
    expect(first).toMatchObject({
      a: { venue: 'kalshi', marketId: 'K', closeTime: '2026-01-01' },
      match: true,
      polarity: 'inverse',
    })
    expect(second).toMatchObject({ b: { venue: 'polymarket', title: 'y' }, match: false, polarity: null })
  })

  test('reads a CSV list with quoted commas', () => {
    const [pair] = parsePairs(
      'kalshi_ticker,kalshi_title,polymarket_question\nKX-1,"Will ""A, B"" win?",Will A win?\n',
      'pairs.csv',
    )
    expect(pair).toMatchObject({
      a: { marketId: 'KX-1', title: 'Will "A, B" win?' },
      b: { title: 'Will A win?' },
      match: true,
    })
  })

  test('reads two markets with a relation instead of a label', () => {
    const a = { venue: 'kalshi', marketId: 'K', title: 'Will A win?' }
    const b = { venue: 'polymarket', marketId: '1', title: 'Will A not win?' }
    const lines = ['inverse', 'other'].map((relation) => row({ relation, a, b })).join('\n')
    expect(parsePairs(lines, 'listings.jsonl')).toMatchObject([
      { a, b, match: true, polarity: 'inverse', relation: 'complement' },
      { match: false, polarity: null, relation: 'overlap' },
    ])
  })

  test('rejects an unknown layout with a clear error', () => {
    expect(() => parsePairs(row({ left: 'a', right: 'b' }), 'odd.jsonl')).toThrow(/odd\.jsonl: no layout.*left, right/)
  })

  test('assigns a pair to the same half every time', () => {
    const pairs = parsePairs(
      Array.from({ length: 40 }, (_, n) =>
        row({ kalshi_id: `K${n}`, kalshi_title: 'a', polymarket_title: 'b', label: 'true' }),
      ).join('\n'),
      'p',
    )
    const development = pairs.filter((pair) => half(pair) === 'development').length
    expect(development).toBeGreaterThan(8)
    expect(development).toBeLessThan(32)
    expect(pairs.map(half)).toEqual(pairs.map(half))
  })
})

describe('evaluate', () => {
  test('counts per band and cumulatively, checks polarity and lists mistakes with their differences', () => {
    const lines = [
      {
        kalshi_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        polymarket_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        label: 'true_match',
        polarity: 'aligned',
      },
      {
        kalshi_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        polymarket_title: 'Will Maria Keller not win the 2027 Kroll Prize?',
        label: 'true_match',
        polarity: 'aligned',
      },
      {
        kalshi_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        polymarket_title: 'Will Jonas Lind win the 2027 Kroll Prize?',
        label: 'true_match',
      },
      {
        kalshi_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        polymarket_title: 'Will Maria Keller win the 2027 Kroll Prize?',
        label: 'false_match',
      },
    ]
    const found = evaluate(parsePairs(lines.map(row).join('\n'), 'p'))
    expect(found).toMatchObject({
      pairs: 4,
      matches: 3,
      polarity: { checked: 2, right: 1, accuracy: 0.5 },
      groups: null,
    })
    expect(found.bands.verified).toEqual({ pairs: 3, matches: 2, precision: 0.6667, recall: 0.6667 })
    expect(found.mistakes.map((each) => each.kind)).toEqual(['false match', 'wrong polarity', 'missed match'])
    expect(found.mistakes[2]?.differences.join()).toContain('keller')
  })
})
