import { randomUUID } from 'node:crypto'
import { account, buy, market, orderId, owner, placed } from '#test/src/venues/predictstreet/exec/world'
import { predictstreet as manifest } from '#venues/predictstreet/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const predictstreet: VenueCase<typeof manifest> = {
  manifest,
  lab: 'predictstreet',
  markets: ({ predictstreet: { engine, listing } }) => marketsOf(engine, listing.markets, ({ slug }) => slug),
  // The venue lists open and upcoming markets.
  walked: ({ status }) => (status === 'open' ? statusWords[status] : null),
  unknown: { marketId: 'no-such-market', outcomeId: 'NO-SUCH-20261231:0' },
  lane: {
    listed: {
      verbs: ['cancel', 'submit', 'refresh'],
      submit: ['owner', 'apiKey', 'signature'],
      refresh: ['owner', 'apiKey'],
      arming: 'settings',
    },
    answers: { acceptance: 'silent', asks: 'key' },
    orderPath: '/api/orders/place',
    cancelPath: '/api/orders/cancel',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.bySymbol.get(id.replace(/:\d+$/, ''))!.key,
    customer(here) {
      const { auth, engine } = here.lab
      const credentials = { owner, apiKey: auth.issueKey(owner) }
      return {
        order: { ...buyYes(here, here.facts.marketId), owner, vault: auth.vaultOf(owner) },
        credentials,
        wrong: { ...credentials, apiKey: 'ps_live_somebody_elses' },
        orders: () => engine.orderManager.ordersOf(owner.toLowerCase()),
      }
    },
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    shows: { expired: true },
    made: { rows: market(), order: buy },
    secrets: [() => ({ apiKey: `ps_live_${randomUUID()}` })],
    names: { owner },
    words: {
      ref: orderId,
      acceptance: {
        order: JSON.stringify(placed),
        cancel: JSON.stringify({ orderId, status: 'CANCELLED', remainingQty: '21.5' }),
      },
      partly: { ...placed, status: 'PARTIAL', filledQty: '4.5' },
      refusal: { body: (message) => ({ code: 'invalid_amounts', message }), under: [400] },
      wrongKey: { body: (message) => ({ code: 'api_key_bad_secret', message }), under: [401, 403] },
      limited: { body: () => ({ code: 'rate_limited', message: 'slow down' }), under: [429] },
      duplicate: null,
      undocumented: [{ message: 'price' }, { code: 'odd_word', message: 'no' }, { error: 'invalid_amounts' }],
    },
  },
}
