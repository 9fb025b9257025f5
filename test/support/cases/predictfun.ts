import { randomUUID } from 'node:crypto'
import { account, buy, logIn, market, signatureOf } from '#test/src/venues/predictfun/exec/world'
import { predictfun as manifest } from '#venues/predictfun/index'
import { buyYes, clientErrors } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const orderHash = `0x${'5a'.repeat(32)}`
const refusal = (error: string) => (message: string) => ({ success: false, code: 400, error, message })

export const predictfun: VenueCase<typeof manifest> = {
  manifest,
  lab: 'predictfun',
  markets: ({ predictfun: { engine, listing } }) => marketsOf(engine, listing.markets, ({ id }) => String(id)),
  // Resolved categories are hundreds of thousands and no longer change.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: '999999999', outcomeId: '999999999:1' },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'split', 'merge', 'convert', 'submit', 'refresh'],
      submit: ['signature', 'apiKey', 'jwt'],
      refresh: ['apiKey', 'jwt'],
      arming: 'on',
    },
    answers: { acceptance: 'ref', asks: 'unsaid' },
    orderPath: '/v1/orders',
    cancelPath: '/v1/orders/remove-by-hash',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.byId.get(id)!.key,
    async customer(here) {
      const credentials = await logIn(here.lab, account.address, (message) => account.signMessage({ message }))
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: account.address },
        credentials,
        wrong: { ...credentials, jwt: 'lab.somebody-elses-token' },
        orders: () => here.lab.engine.orderManager.ordersOf(account.address),
      }
    },
    wallet: { sign: (unsigned) => signatureOf(unsigned), signsCancellations: false },
    shows: { expired: true },
    made: { rows: market(), order: buy },
    secrets: [() => ({ apiKey: randomUUID(), jwt: `eyJhbGciOi.${randomUUID()}` })],
    words: {
      ref: orderHash,
      acceptance: {
        order: JSON.stringify({
          success: true,
          data: { code: 'OK', orderHash, orderId: '415535', removalLockedUntil: null },
        }),
        cancel: JSON.stringify({ success: true, removed: [orderHash], noop: [], rejected: [] }),
      },
      partly: null,
      refusal: { body: refusal('create_order_insufficient_collateral_allowance'), under: clientErrors },
      wrongKey: { body: refusal('unauthorized'), under: clientErrors },
      limited: { body: refusal('too_many_requests'), under: [429] },
      duplicate: { body: refusal('create_order_duplicate_order'), under: clientErrors },
      undocumented: [refusal('order_exists')('no'), { error: 'bad_request', message: 'no' }],
    },
  },
}
