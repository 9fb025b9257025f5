import { randomUUID } from 'node:crypto'
import { buy, market } from '#test/src/venues/gemini/exec/world'
import { gemini as manifest } from '#venues/gemini/index'
import { buyYes, clientErrors } from './laneCase.ts'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

export const gemini: VenueCase<typeof manifest> = {
  manifest,
  lab: 'gemini',
  markets: ({ gemini: { engine, listing } }) => marketsOf(engine, listing.contracts, ({ symbol }) => symbol),
  walked: everything,
  unknown: { marketId: 'GEMI-NOSUCH261231-AAA', outcomeId: 'GEMI-NOSUCH261231-AAA' },
  lane: {
    listed: {
      verbs: ['cancel', 'submit', 'refresh'],
      submit: ['apiKey', 'apiSecret'],
      refresh: ['apiKey', 'apiSecret'],
      arming: 'flag',
    },
    answers: { acceptance: 'name', asks: 'key' },
    orderPath: '/v1/prediction-markets/order',
    cancelPath: '/order/cancel',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.bySymbol.get(id)!.key,
    customer(here) {
      const credentials = { ...here.lab.credentials }
      return {
        order: buyYes(here, here.facts.outcomeIds[0]),
        credentials,
        wrong: { ...credentials, apiSecret: 'wrong' },
        orders: () => here.lab.engine.orderManager.ordersOf(credentials.apiKey),
      }
    },
    made: { rows: market(), order: buy },
    secrets: [() => ({ apiKey: `id-${randomUUID()}`, apiSecret: `secret-${randomUUID()}` })],
    words: {
      ref: '145000000000000001',
      acceptance: {
        order:
          '{"orderId":145000000000000001,"status":"open","symbol":"GEMI-A","side":"buy","outcome":"yes","quantity":"10","price":"0.2"}',
        cancel: JSON.stringify({ result: 'ok', message: 'Order 1 cancelled' }),
      },
      partly: {
        orderId: 145,
        status: 'open',
        symbol: 'GEMI-A',
        side: 'buy',
        outcome: 'yes',
        quantity: '10',
        filledQuantity: '4.5',
      },
      refusal: {
        body: (message) => ({ result: 'error', reason: 'InsufficientFunds', message }),
        under: [200, ...clientErrors],
      },
      wrongKey: {
        body: (message) => ({ result: 'error', reason: 'InvalidSignature', message }),
        under: [200, ...clientErrors],
      },
      limited: { body: () => ({ result: 'error', reason: 'RateLimit' }), under: [200, 429, ...clientErrors] },
      duplicate: { body: (message) => ({ error: 'DuplicateOrder', message }), under: clientErrors },
      undocumented: [
        { error: 'Blocked', message: 'no' },
        { result: 'error', reason: 'Blocked' },
      ],
    },
  },
}
