import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { bookRef, categoricalId, categoricalOf, isMarketId, outcomeIdOf, partsOf } from '#venues/opinion/ids'
import { registry } from '#venues/registry'

const claimants = (id: string) =>
  Object.values(registry).flatMap(({ slug, data }) => (data.bookRef(id) === null ? [] : [slug]))

describe('ids', () => {
  test('outcome ids belong to this venue only and can be parsed back', () => {
    const token = fc.bigInt({ min: 10n ** 60n, max: 2n ** 256n - 1n }).map(String)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }).map(String), token, (marketId, name) => {
        const id = outcomeIdOf(marketId, name)
        expect(bookRef(id)).toEqual({ bookId: id, complement: false })
        expect(partsOf(id)).toEqual({ marketId, token: name })
        expect(claimants(id)).toEqual(['opinion'])
        // A token id alone may also look like another venue’s.
        expect(bookRef(name)).toBeNull()
      }),
    )
  })

  test('a categorical market never has the id of a market with the same number', () => {
    expect(categoricalOf(categoricalId(1277))).toBe('1277')
    expect(isMarketId(categoricalId(1277))).toBe(false)
    expect(categoricalOf('1277')).toBeNull()
  })

  test.each(['', '1', '1:', ':1', '0:1234567890123456789012345', '1:12', '1:1234567890123456789012345x'])(
    'rejects %j as a book id',
    (id) => {
      expect([bookRef(id), partsOf(id)]).toEqual([null, null])
    },
  )
})

interface Pair {
  opinion: { market_id: number; yes_token_id: string; no_token_id: string }
}
const recording = sharedFixture('opinion/opinion_polymarket_token_pairs.json.gz')

test.skipIf(recording === null)('every recorded token pair (../shared) has ids of this format', () => {
  const rows = JSON.parse(gunzipSync(readFileSync(recording!)).toString()) as (Partial<Pair> & { pairs?: Pair[] })[]
  const pairs = rows.flatMap(({ opinion, pairs: of = [] }) => (opinion === undefined ? of : [{ opinion }]))
  expect(pairs).toHaveLength(240)
  for (const { opinion } of pairs) {
    for (const token of [opinion.yes_token_id, opinion.no_token_id]) {
      expect(bookRef(outcomeIdOf(String(opinion.market_id), token))).not.toBeNull()
    }
  }
})
