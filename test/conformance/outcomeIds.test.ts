// The form of an outcome id identifies its venue: no other venue accepts it as its own.
import { expect, test } from 'vitest'
import { venueCases } from '#test/support/venueCases'
import { registry } from '#venues/registry'

const claimants = (id: string): string[] =>
  Object.values(registry).flatMap(({ slug, data }) => (data.bookRef(id) === null ? [] : [slug]))

test.each(Object.values(venueCases).map(({ manifest, unknown }) => [manifest.slug, unknown.outcomeId]))(
  '%s alone has an outcome called %s',
  (slug, outcomeId) => {
    expect(claimants(outcomeId)).toEqual([slug])
  },
)

const pool = `0x${'aB'.repeat(20)}`
test.each([
  ['limitless', 'usa-and-australia-both-to-score-1779980360817:no'],
  ['limitless', `${pool}:yes`],
  ['rain', `${pool}:3:2`],
])('%s alone has an outcome called %s, too', (slug, outcomeId) => {
  expect(claimants(outcomeId)).toEqual([slug])
})
