import { randomBytes, randomUUID } from 'node:crypto'
import { buyShort, market } from '#test/src/venues/polymarket_us/exec/world'
import { polymarketUs as manifest } from '#venues/polymarket_us/index'
import { clientErrors } from './laneCase.ts'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

export const polymarketUs: VenueCase<typeof manifest> = {
  manifest,
  lab: 'polymarket_us',
  markets: ({ polymarket_us: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ slug }) => slug,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: { marketId: 'no-such-market', outcomeId: 'no-such-market:long' },
  lane: {
    listed: {
      verbs: ['cancel', 'submit', 'refresh'],
      submit: ['keyId', 'secretKey'],
      refresh: ['keyId', 'secretKey'],
      arming: 'on',
    },
    answers: { acceptance: 'silent', asks: 'key' },
    orderPath: '/v1/orders',
    cancelPath: '/cancel',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.bySlug.get(id)!.key,
    customer({ lab, facts, bid }) {
      const credentials = { ...lab.key }
      const { marketId, outcomeIds } = facts
      const price = String(bid / 1e6)
      return {
        order: { marketId, outcomeId: outcomeIds[0], side: 'buy', type: 'limit', amount: 50, price },
        credentials,
        wrong: { ...credentials, secretKey: Buffer.alloc(32, 1).toString('base64') },
        orders: () => lab.engine.orderManager.ordersOf(credentials.keyId),
      }
    },
    shows: { expired: true },
    made: { rows: market(), order: buyShort },
    secrets: [() => ({ keyId: `id-${randomUUID()}`, secretKey: randomBytes(32).toString('base64') })],
    words: {
      ref: '8f0b7a56-0001-4000-8000-000000000001',
      acceptance: { order: JSON.stringify({ id: '8f0b7a56-0001-4000-8000-000000000001' }), cancel: '' },
      partly: { id: 'o-1', executions: [{ type: 'EXECUTION_TYPE_PARTIAL_FILL', order: { cumQuantity: 4.5 } }] },
      refusal: {
        body: (message) => ({ code: 9, message: `insufficient buying power ${message}`, details: [] }),
        under: clientErrors,
      },
      wrongKey: {
        body: (message) => ({ code: 16, message: `unknown api key ${message}`, details: [] }),
        under: clientErrors,
      },
      limited: { body: () => ({ status: 429, message: 'Too Many Requests' }), under: [429] },
      duplicate: null,
      undocumented: [
        { message: 'no' },
        { error: 'no' },
        { code: 9, message: 'no' },
        { code: 2, message: 'no', details: [] },
      ],
    },
  },
}
