import { expect, it } from 'vitest'
import { createExchanges } from '#marketData/markets/exchange'
import type { VenueReads } from '#marketData/markets/index'
import { createWorld } from '#test/src/server/http/world'

const reads = (slug: string): VenueReads => ({ ...createWorld().venues.get('kalshi')!.reads, slug })

it('does not serve a dark venue even if its folder exists, and serves a sandbox only directly, never through the router', () => {
  const exchangeOf = createExchanges(new Map(['kalshi', 'kalshi-demo', 'smarkets'].map((slug) => [slug, reads(slug)])))
  expect(exchangeOf('kalshi-demo').venues).toHaveLength(1)
  expect(exchangeOf('router').venues.map((venue) => venue.slug)).toEqual(['kalshi'])
  expect(() => exchangeOf('smarkets')).toThrow(expect.objectContaining({ code: 'EXCHANGE_NOT_AVAILABLE' }))
})

it.each(['__proto__', 'constructor', 'toString', '', 'router '])('rejects "%s" as an exchange', (name) => {
  const exchangeOf = createExchanges(new Map([['kalshi', reads('kalshi')]]))
  expect(() => exchangeOf(name)).toThrow(expect.objectContaining({ code: 'EXCHANGE_NOT_AVAILABLE' }))
})
