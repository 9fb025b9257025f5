import { expect, test } from 'vitest'
import { alignFields } from '#matching/decide/review/alignFields'

test('aligns the texts of two markets, leaves out those that neither has, and ignores case and spaces', () => {
  const fields = alignFields(
    {
      ...{ venue: 'kalshi', marketId: 'A', title: 'Highest temperature in NYC?', subtitle: '80° or above' },
      ...{ strikeType: 'greater_or_equal' as const, floorStrike: 80, closeTime: '2026-12-01T05:00:00Z' },
      rules: ' By  the NWS. ',
    },
    {
      ...{ venue: 'polymarket', marketId: '1', title: 'highest temperature  in nyc?', outcomes: ['Yes', 'No'] },
      ...{ closeTime: Date.UTC(2026, 11, 1, 5), rules: 'by the NWS.' },
    },
  )
  for (const field of [
    { field: 'title', a: 'Highest temperature in NYC?', b: 'highest temperature  in nyc?', equal: true },
    { field: 'answer', a: '80° or above', b: null, equal: false },
    { field: 'outcomes', a: null, b: 'Yes / No', equal: false },
    { field: 'strike', a: 'greater or equal 80', b: null, equal: false },
    { field: 'closes', a: '2026-12-01T05:00:00.000Z', b: '2026-12-01T05:00:00.000Z', equal: true },
  ])
    expect(fields).toContainEqual(field)
  expect(fields.at(-1)).toEqual({ field: 'rules', a: 'By  the NWS.', b: 'by the NWS.', equal: true })
  expect(fields.map(({ field }) => field)).not.toContain('category')
})

test('aligns what the matcher reads', () => {
  const at = (venue: string, amount: string) => {
    return { venue, marketId: 'A', title: `Will Bitcoin be above $${amount} on December 31, 2026?` }
  }
  const fields = new Map(
    alignFields(at('kalshi', '100,000'), at('polymarket', '110,000')).map((each) => [each.field, each.equal]),
  )
  expect([fields.get('date'), fields.get('threshold'), fields.has('polarity')]).toEqual([true, false, false])
})
