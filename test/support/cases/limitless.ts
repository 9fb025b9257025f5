import { randomBytes, randomUUID } from 'node:crypto'
import { account, buy, market, profile, shownProfile } from '#test/src/venues/limitless/exec/world'
import { limitless as manifest } from '#venues/limitless/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const orderId = '5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11'

export const limitless: VenueCase<typeof manifest> = {
  manifest,
  lab: 'limitless',
  markets: ({ limitless: { engine, listing } }) => marketsOf(engine, listing.markets, ({ slug }) => slug),
  // No list contains resolved markets.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: 'no-such-market-1779980360817', outcomeId: 'no-such-market-1779980360817:yes' },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'split', 'merge', 'submit', 'refresh'],
      submit: ['signature', 'tokenId', 'secret', 'session'],
      refresh: [],
      arming: 'settings',
    },
    answers: { acceptance: 'name', asks: 'anybody' },
    orderPath: '/orders',
    cancelPath: '/orders/cancel',
    bookId: ({ marketId }) => marketId,
    marketKey: ({ listing }, id) => listing.byName.get(id)!.key,
    customer(here) {
      const { auth, engine } = here.lab
      const { id: ownerId, account: name, feeRateBps } = auth.profile(account.address)
      const credentials = { ...auth.issueToken(account.address) }
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: account.address, ownerId, feeRateBps },
        credentials,
        wrong: { ...credentials, secret: Buffer.alloc(32, 1).toString('base64') },
        orders: () => engine.orderManager.ordersOf(name),
      }
    },
    // Read from the chain, which knows only fills; a cancellation is known from its own response.
    before: { path: `/profiles/${account.address}`, answer: profile },
    shows: { lost: false, resting: false },
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    made: { rows: market(), order: buy, reads: (seen) => shownProfile(seen) ?? { status: 404 } },
    secrets: [
      () => ({ tokenId: `token-${randomUUID()}`, secret: randomBytes(32).toString('base64') }),
      () => ({ session: `session-${randomUUID()}` }),
    ],
    words: {
      ref: orderId,
      acceptance: {
        order: JSON.stringify({ order: { id: orderId }, execution: { matched: false, settlementStatus: 'UNMATCHED' } }),
        cancel: JSON.stringify({ message: 'Order canceled successfully' }),
      },
      partly: {
        order: { id: orderId },
        execution: { matched: true, settlementStatus: 'MATCHED', totalsRaw: { contractsGross: '4500000' } },
      },
      refusal: { body: (message) => ({ message: `Insufficient collateral allowance ${message}` }), under: [400, 422] },
      cancelRefusal: { body: (message) => ({ message: `Order not found ${message}` }), under: [400, 404, 422] },
      wrongKey: { body: (message) => ({ message: `Invalid HMAC signature ${message}` }), under: [401] },
      limited: { body: () => ({ statusCode: 429, message: 'ThrottlerException: Too Many Requests' }), under: [429] },
      duplicate: { body: () => ({ message: 'clientOrderId is already used' }), under: [409] },
      undocumented: [{ error: 'Insufficient collateral allowance' }, { code: 7, message: 'no' }],
    },
  },
}
