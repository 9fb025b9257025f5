import { randomUUID } from 'node:crypto'
import { buy, issued, market, tokenPath } from '#test/src/venues/novig/exec/world'
import { novig as manifest } from '#venues/novig/index'
import { buyYes, clientErrors } from './laneCase.ts'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

export const novig: VenueCase<typeof manifest> = {
  manifest,
  lab: 'novig',
  markets: ({ novig: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ id }) => id,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: {
    marketId: 'ffffffff-ffff-4fff-afff-ffffffffffff',
    outcomeId: 'eeeeeeee-eeee-4eee-aeee-eeeeeeeeeeee',
  },
  lane: {
    listed: {
      verbs: ['submit', 'refresh'],
      submit: ['clientId', 'clientSecret'],
      refresh: ['clientId', 'clientSecret'],
      arming: 'on',
    },
    answers: { acceptance: 'name', asks: 'key' },
    orderPath: '/nbx/v2/emm/orders/place',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.byOutcome.get(id)!.key,
    customer(here) {
      const credentials = { ...here.lab.credentials }
      return {
        order: buyYes(here, here.facts.marketId),
        credentials,
        wrong: { ...credentials, clientSecret: 'wrong-secret' },
        orders: () => here.lab.engine.orderManager.ordersOf(credentials.clientId),
      }
    },
    before: { path: tokenPath, answer: issued },
    made: { rows: market(), order: buy },
    secrets: [() => ({ clientId: `id-${randomUUID()}`, clientSecret: `secret-${randomUUID()}` })],
    words: {
      ref: '8f0b7a56-0001-4000-8000-000000000001',
      acceptance: { order: JSON.stringify({ id: '8f0b7a56-0001-4000-8000-000000000001', status: 'RESTING' }) },
      partly: null,
      refusal: { body: (message) => ({ statusCode: 400, message, error: 'Bad Request' }), under: [400] },
      wrongKey: {
        body: (message) => ({ error: 'invalid_client', error_description: `no such client ${message}` }),
        under: clientErrors,
      },
      limited: { body: () => ({ statusCode: 429, message: 'ThrottlerException: Too Many Requests' }), under: [429] },
      duplicate: null,
      undocumented: [
        { statusCode: 418, message: 'insufficient balance' },
        { message: 'insufficient balance' },
        { error: 'insufficient balance' },
        { status: 'REJECTED' },
      ],
    },
  },
}
