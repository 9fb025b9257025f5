import { randomUUID } from 'node:crypto'
import { account, buy, logIn, market, owner } from '#test/src/venues/pred/exec/world'
import { pred as manifest } from '#venues/pred/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const unknownId = `0x${'0'.repeat(63)}1`

export const pred: VenueCase<typeof manifest> = {
  manifest,
  lab: 'pred',
  markets: ({ pred: { engine, listing } }) =>
    marketsOf(engine, listing.children, ({ id, parent }) => `${parent.id}-${id}`),
  // The venue has no documented status between open and resolved.
  walked: ({ status }) => (status === 'closed' ? 'unknown' : statusWords[status]),
  reportsWinner: false,
  unknown: { marketId: `${unknownId}-${unknownId}`, outcomeId: `${unknownId}-${unknownId}-long` },
  lane: {
    listed: {
      verbs: ['cancel', 'submit', 'refresh'],
      submit: ['signature', 'owner', 'accessToken', 'signer'],
      refresh: ['owner', 'accessToken', 'signer'],
      arming: 'dark',
    },
    answers: { acceptance: 'silent', asks: 'owner' },
    orderPath: '/place',
    cancelPath: '/cancel',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.byChild.get(id.split('-')[1]!)!.key,
    async customer(here) {
      const { accessToken, proxy } = await logIn(here.lab)
      const credentials = { owner: proxy, accessToken, signer: account.address }
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: proxy, signer: account.address },
        credentials,
        wrong: { ...credentials, accessToken: 'lab.somebody-elses' },
        orders: () => here.lab.engine.orderManager.ordersOf(proxy),
      }
    },
    warning: /access token/i,
    // It shows only open orders.
    shows: { lost: false, filled: false, canceled: false },
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    made: { rows: market(), order: buy },
    secrets: [() => ({ accessToken: `token-${randomUUID()}` })],
    names: { owner },
    words: {
      ref: '5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11',
      acceptance: {
        order: '{"status":"open_order","order_id":"5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11","message":""}',
        cancel: '{"status":"user_cancelled","order_id":"5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11","success":true}',
      },
      partly: null,
      refusal: { body: (message) => ({ success: false, message, error: { code: 'ANY', message } }), under: [400, 422] },
      cancelRefusal: { body: (message) => ({ success: false, error: { code: 'ANY', message } }), under: [404] },
      wrongKey: { body: (message) => ({ success: false, error: { code: 'ANY', message } }), under: [401] },
      limited: null,
      duplicate: null,
      undocumented: [{ success: false, message: 'no' }, { error: { code: 'ANY', message: 'no' } }, { status: 'no' }],
    },
  },
}
