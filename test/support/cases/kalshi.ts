import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { buy, fees, market } from '#test/src/venues/kalshi/exec/world'
import { kalshi as manifest } from '#venues/kalshi/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const cent = 10_000

function aKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { apiKeyId: `id-${randomUUID()}`, privateKeyPem }
}

export const kalshi: VenueCase<typeof manifest> = {
  manifest,
  lab: 'kalshi',
  markets: ({ kalshi: { engine, listing } }) => marketsOf(engine, listing.markets, ({ ticker }) => ticker),
  // Settled markets are millions and no longer change.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: 'KXNOSUCH-99JAN01-T1', outcomeId: 'KXNOSUCH-99JAN01-T1' },
  lane: {
    listed: {
      verbs: ['modify', 'cancel', 'submit', 'refresh'],
      submit: ['apiKeyId', 'privateKeyPem'],
      refresh: ['apiKeyId', 'privateKeyPem'],
      arming: 'flag',
    },
    answers: { acceptance: 'name', asks: 'key' },
    orderPath: '/portfolio/events/orders',
    cancelPath: '/portfolio/events/orders/',
    changePath: '/amend',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.byTicker.get(id)!.key,
    // Only whole cents can be ordered, whatever the grid of the market.
    takes: ({ bids }) => bids[0]![0] % cent === 0,
    customer(here) {
      const { API_KEY_ID, PRIVATE_KEY_PEM } = here.lab.credentials
      const credentials = { apiKeyId: API_KEY_ID, privateKeyPem: PRIVATE_KEY_PEM }
      return {
        order: buyYes(here, here.facts.marketId),
        credentials,
        wrong: { ...credentials, apiKeyId: randomUUID() },
        orders: () => here.lab.engine.orderManager.ordersOf(API_KEY_ID),
      }
    },
    made: { rows: market({ sourceMetadata: { marketType: 'binary', fees } }), order: buy },
    secrets: [aKey],
    words: {
      ref: 'f0f4f8e2-0001-4000-8000-000000000001',
      acceptance: {
        order: JSON.stringify({ order_id: 'o-1', client_order_id: 'c-1' }),
        cancel: JSON.stringify({ order_id: 'o-1' }),
      },
      partly: { order_id: 'o-1', fill_count: '4.50', remaining_count: '5.50' },
      refusal: {
        body: (message) => ({ error: { code: 'insufficient_balance', message } }),
        under: [400, 403, 404, 409],
      },
      wrongKey: {
        body: (message) => ({ error: { code: 'authentication_error', details: 'NOT_FOUND', message } }),
        under: [401, 403],
      },
      limited: { body: () => ({ error: 'too many requests' }), under: [429] },
      duplicate: { body: () => ({ error: { code: 'order_already_exists' } }), under: [409] },
      // Its documentation treats any of its error codes as a rejection.
      undocumented: [{ error: { code: 'x', message: 'no' } }, { msg: 'no' }, { error: { code: 'internal_error' } }],
    },
  },
}
