import { randomBytes } from 'node:crypto'
import { base58, buy, market, owner, sign, trader } from '#test/src/venues/pascal/exec/world'
import { pascal as manifest } from '#venues/pascal/index'
import { buyYes, clientErrors } from './laneCase.ts'
import { marketsOf, type VenueCase } from './venueCase.ts'

const error = (code: string, message: string) => ({ status: 'error', data: { code, message } })

export const pascal: VenueCase<typeof manifest> = {
  manifest,
  lab: 'pascal',
  markets: ({ pascal: { engine, listing } }) => marketsOf(engine, listing.markets, ({ symbol }) => symbol),
  // The venue has no status between open and resolved, and lists resolved markets only by id.
  walked: ({ status }) => (status === 'resolved' ? null : 'active'),
  unknown: { marketId: 'NOSUCH_26.AAA', outcomeId: 'NOSUCH_26.AAA' },
  lane: {
    listed: { verbs: ['cancel', 'submit', 'refresh'], submit: ['signature'], refresh: [], arming: 'on' },
    orderPath: '/api/v1/orders',
    cancelPath: '/api/v1/cancels',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.bySymbol.get(id)!.key,
    customer(here) {
      here.lab.register(owner.address, trader.address)
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: owner.address, signer: trader.address },
        credentials: {},
        wrong: null,
        orders: () => here.lab.engine.orderManager.ordersOf(owner.address),
      }
    },
    answers: { acceptance: 'name', asks: 'anybody' },
    cancelBody: { signer: trader.address },
    shows: { canceled: false },
    wallet: {
      sign: async (unsigned) => sign({ unsigned }),
      signsCancellations: true,
      forged: [base58(Buffer.alloc(64, 255)), '1'.repeat(64), base58(randomBytes(64)), base58(Buffer.alloc(64, 1))],
    },
    made: { rows: market(), order: buy },
    secrets: [],
    words: {
      ref: '4503599627370497',
      acceptance: {
        order: JSON.stringify([{ status: 'success', data: {} }]),
        cancel: JSON.stringify([{ status: 'success', data: null }]),
      },
      partly: null,
      refusal: {
        body: (message) => [error('INSUFFICIENT_COLLATERAL', `not enough ${message}`)],
        under: [200, ...clientErrors],
      },
      wrongKey: {
        body: (message) => error('unauthorized_signer', `no active key ${message}`),
        under: [200, ...clientErrors],
      },
      limited: null,
      duplicate: {
        body: (message) => [error('CLIENT_ORDER_ID_ALREADY_EXISTS', message)],
        under: [200, ...clientErrors],
      },
      undocumented: [
        [{ status: 'error' }],
        { status: 'error', data: { message: 'no' } },
        [error('INTERNAL_ERROR', 'no')],
        [error('SOMETHING_NEW', 'no')],
        [error('ORDER_REJECTED', 'no'), error('ORDER_REJECTED', 'no')],
        { code: 'ORDER_REJECTED', message: 'no' },
      ],
    },
  },
}
