import { buy, market516, owner, rich, sign } from '#test/src/venues/hyperliquid/exec/world'
import { hyperliquid as manifest } from '#venues/hyperliquid/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, type VenueCase } from './venueCase.ts'

const answer = (type: string, ...statuses: unknown[]) => ({ status: 'ok', response: { type, data: { statuses } } })
const refusal = (response: string) => ({ status: 'err', response })

export const hyperliquid: VenueCase<typeof manifest> = {
  manifest,
  lab: 'hyperliquid',
  markets: ({ hyperliquid: { engine, listing } }) =>
    marketsOf(engine, listing.outcomes, ({ outcome }) => String(outcome)),
  // The venue has no status between open and settled.
  walked: ({ status }) => (status === 'resolved' ? 'resolved' : 'active'),
  unknown: { marketId: '9999998', outcomeId: '#99999980' },
  lane: {
    listed: { verbs: ['modify', 'cancel', 'submit', 'refresh'], submit: ['signature'], refresh: [], arming: 'on' },
    orderPath: '/exchange',
    cancelPath: '/exchange',
    changePath: '/exchange',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.byCoin.get(id)!.outcome.key,
    customer: (here) => ({
      order: { ...buyYes(here, here.facts.marketId), owner: owner.address },
      credentials: {},
      wrong: null,
      orders: () => here.lab.engine.orderManager.ordersOf(owner.address.toLowerCase()),
    }),
    wallet: { sign: (unsigned) => sign({ unsigned }), signsCancellations: true },
    made: { rows: market516, order: buy, reads: rich },
    secrets: [],
    words: {
      ref: '480264497594',
      acceptance: {
        order: JSON.stringify(answer('order', { resting: { oid: 480264497594 } })),
        cancel: JSON.stringify(answer('cancel', 'success')),
      },
      partly: answer('order', { filled: { oid: 1, totalSz: '4.5', avgPx: '0.5' } }),
      refusal: { body: (message) => refusal(`Order has zero size. ${message}`), under: [200] },
      wrongKey: { body: () => refusal('User or API Wallet 0x1 does not exist.'), under: [200] },
      limited: { body: () => refusal('Too many cumulative requests sent (1 > 0).'), under: [200, 429] },
      takesSameBytesOnce: true,
      duplicate: { body: () => refusal('Invalid nonce: duplicate nonce 1'), under: [200] },
      undocumented: [
        { error: 'no' },
        { response: 'no' },
        refusal('Internal error'),
        answer('order', { error: 'Try later' }),
      ],
    },
    answers: { acceptance: 'name', asks: 'anybody' },
  },
}
