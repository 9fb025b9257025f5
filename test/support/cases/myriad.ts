import { nameOf } from '#lab/myriad/marketGenerator'
import { account, bookMarket, buy } from '#test/src/venues/myriad/exec/world'
import { myriad as manifest } from '#venues/myriad/index'
import { buyYes } from './laneCase.ts'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const orderHash = '0x'.padEnd(66, 'a')

export const myriad: VenueCase<typeof manifest> = {
  manifest,
  lab: 'myriad',
  markets: ({ myriad: { engine, listing } }) => marketsOf(engine, listing.markets, nameOf),
  // Most markets are resolved and no longer change.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: '56:ob:999999', outcomeId: '56:ob:999999:0' },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'split', 'merge', 'submit', 'refresh'],
      submit: ['signature', 'signedTransaction', 'transactionHash'],
      refresh: [],
      arming: 'on',
    },
    answers: { acceptance: 'ref', asks: 'anybody' },
    orderPath: '/orders',
    cancelPath: '/orders/',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.byName.get(id.slice(0, -2))!.key,
    // Nothing rests at a pool.
    takes: (_, { sourceMetadata }) => sourceMetadata.executionModel === 'clob',
    customer: (here) => ({
      order: { ...buyYes(here, here.facts.marketId), owner: account.address },
      credentials: {},
      wrong: null,
      orders: () => here.lab.engine.orderManager.ordersOf(account.address.toLowerCase()),
    }),
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    shows: { expired: true },
    made: { rows: bookMarket(), order: buy },
    secrets: [],
    words: {
      ref: orderHash,
      acceptance: {
        order: JSON.stringify({ orderHash, status: 'open', timeInForce: 'GTC' }),
        cancel: JSON.stringify({ orderHash, status: 'cancelled' }),
      },
      partly: null,
      refusal: { body: (message) => ({ error: `Invalid order payload ${message}` }), under: [400] },
      wrongKey: null,
      limited: { body: () => ({ error: 'Too many requests' }), under: [429] },
      duplicate: { body: () => ({ error: 'Order already exists' }), under: [409] },
      undocumented: [
        { error: 'could not proxy' },
        { error: 'relayed' },
        { message: 'Invalid order payload' },
        { errors: ['Invalid order payload'] },
      ],
    },
  },
}
