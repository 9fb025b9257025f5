import { randomBytes, randomUUID } from 'node:crypto'
import { account, buy, l1Headers, market, publicReads } from '#test/src/venues/polymarket/exec/world'
import { polymarket as manifest } from '#venues/polymarket/index'
import { buyYes, type Credentials } from './laneCase.ts'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

const orderId = '0x'.padEnd(66, 'a')

export const polymarket: VenueCase<typeof manifest> = {
  manifest,
  lab: 'polymarket',
  markets: ({ polymarket: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ id }) => id,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: { marketId: '999999999', outcomeId: '1'.repeat(77) },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'split', 'merge', 'convert', 'submit', 'refresh'],
      submit: ['signature', 'apiKey', 'secret', 'passphrase'],
      refresh: ['apiKey', 'secret', 'passphrase'],
      arming: 'on',
    },
    answers: { acceptance: 'ref', asks: 'owner' },
    orderPath: '/clob/order',
    cancelPath: '/clob/order',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.byToken.get(id)!.market.key,
    async customer(here) {
      const headers = await l1Headers(account, here.world.clock.now())
      const answer = await fetch(`${here.lab.urls.CLOB}/auth/derive-api-key`, { headers })
      const credentials = (await answer.json()) as Credentials
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: account.address },
        credentials,
        wrong: { ...credentials, secret: Buffer.alloc(32, 1).toString('base64') },
        orders: () => here.lab.engine.orderManager.ordersOf(account.address),
      }
    },
    warning: /region/i,
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    made: { rows: market(), order: buy, reads: (seen) => publicReads(seen) },
    secrets: [
      () => ({
        apiKey: randomUUID(),
        secret: randomBytes(32).toString('base64'),
        passphrase: `passphrase-${randomUUID()}`,
      }),
    ],
    words: {
      ref: orderId,
      acceptance: {
        order: JSON.stringify({ success: true, orderID: orderId, status: 'live', errorMsg: '' }),
        cancel: JSON.stringify({ canceled: [orderId], not_canceled: {} }),
      },
      partly: {
        success: true,
        orderID: orderId,
        status: 'matched',
        makingAmount: '1',
        takingAmount: '4.5',
        tradeIDs: ['t'],
      },
      refusal: { body: (message) => ({ error: `not enough balance / allowance ${message}` }), under: [400] },
      wrongKey: { body: (message) => ({ error: `Unauthorized/Invalid api key ${message}` }), under: [400, 401] },
      limited: { body: () => ({ error: 'Too Many Requests' }), under: [429] },
      duplicate: { body: () => ({ error: 'order 0x1 is invalid. Duplicated.' }), under: [400] },
      undocumented: [{ message: 'not enough balance' }, { error: 'could not proxy' }],
    },
  },
}
