import { randomUUID } from 'node:crypto'
import { account, buy, issueKey, market, publicReads } from '#test/src/venues/opinion/exec/world'
import { opinion as manifest } from '#venues/opinion/index'
import { buyYes, clientErrors } from './laneCase.ts'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

const orderId = 'a11ee07e-e22f-11f0-9714-0a58a9feac02'
/** A recorded row, with ten shares. */
const row = {
  orderId,
  marketId: 26_356,
  side: 0,
  sideEnum: 'Buy',
  tradingMethod: 2,
  price: '0.5',
  orderShares: '10',
  filledShares: '0',
  status: 1,
  statusEnum: 'Pending',
  createdAt: 1_785_500_000,
}
const placed = (more: object = {}) => ({ errno: 0, errmsg: '', result: { orderData: { ...row, ...more } } })
const refusal = (errno: number, errmsg: string) => ({ errno, errmsg, result: null })

export const opinion: VenueCase<typeof manifest> = {
  manifest,
  lab: 'opinion',
  markets: ({ opinion: { engine, listing } }) => marketsOf(engine, listing.markets, ({ id }) => String(id)),
  walked: everything,
  hasQuotes: false,
  unknown: { marketId: '999999999', outcomeId: `999999999:${'1'.repeat(77)}` },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'split', 'merge', 'submit', 'refresh'],
      submit: ['signature', 'apiKey'],
      refresh: ['apiKey'],
      arming: 'on',
    },
    answers: { acceptance: 'members', asks: 'key' },
    orderPath: '/openapi/order',
    cancelPath: '/order/cancel',
    bookId: ({ outcomeIds }) => outcomeIds[0],
    marketKey: ({ listing }, id) => listing.byToken.get(id.slice(id.indexOf(':') + 1))!.market.key,
    async customer(here) {
      const apiKey = await issueKey(here.lab.urls.REST, account, here.world.clock.now())
      return {
        order: { ...buyYes(here, here.facts.marketId), owner: account.address },
        credentials: { apiKey },
        wrong: { apiKey: '0'.repeat(32) },
        orders: () => here.lab.engine.orderManager.ordersOf(account.address),
      }
    },
    warning: /region/i,
    wallet: { sign: (unsigned) => account.signTypedData(unsigned as never), signsCancellations: false },
    shows: { expired: true },
    made: { rows: market(), order: buy, reads: (seen) => publicReads(seen) },
    secrets: [() => ({ apiKey: randomUUID().replaceAll('-', '') })],
    words: {
      ref: orderId,
      acceptance: {
        order: JSON.stringify(placed()),
        cancel: JSON.stringify({ errno: 0, errmsg: '', result: { result: true } }),
      },
      partly: placed({ filledShares: '4.5' }),
      refusal: {
        body: (message) => refusal(10_207, `Insufficient token balance ${message}`),
        under: [200, ...clientErrors],
      },
      wrongKey: { body: (message) => refusal(11_002, `Invalid API key ${message}`), under: [200, ...clientErrors] },
      limited: null,
      duplicate: null,
      undocumented: [refusal(10_999, 'no'), { message: 'Insufficient token balance' }],
    },
  },
}
