import { privateKeyToAccount } from 'viem/accounts'
import { digestHex } from '#lab/prng'
import { account, buy, market, nodeOf, sign } from '#test/src/venues/rain/exec/world'
import type { LaneLab } from '#test/support/laneLab'
import { rain as manifest } from '#venues/rain/index'
import { type Customer, clientErrors } from './laneCase.ts'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

let gas = 500_000n
const unknownAddress = `0x${'0'.repeat(39)}1`
const hash = `0x${'a'.repeat(64)}`
const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })

const walletOf = ({ bid, facts, lab }: LaneLab<'rain'>, wallet: typeof account): Customer => ({
  order: {
    outcome: facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: String(bid / 1e6),
    amount: String((bid * 50) / 1e6),
    owner: wallet.address,
  },
  credentials: {},
  wrong: null,
  orders: () => lab.engine.orderManager.ordersOf(wallet.address.toLowerCase()),
  // Fees change: the same call under the same nonce is another transaction.
  signed: async (unsigned) => ({
    signedTransaction: await sign(unsigned, lab.nonceOf(wallet.address), { gas: gas++ }, wallet),
  }),
})

export const rain: VenueCase<typeof manifest> = {
  manifest,
  lab: 'rain',
  markets: ({ rain: { engine, listing } }) =>
    marketsOf(engine, listing.options, ({ pool, option }) => `${pool.address}:${option}`),
  walked: everything,
  // Pools are read with a quote, and have no price in lists.
  hasQuotes: false,
  reportsWinner: false,
  unknown: { marketId: `${unknownAddress}:1`, outcomeId: `${unknownAddress}:1:1` },
  lane: {
    listed: {
      verbs: ['cancel', 'redeem', 'submit', 'refresh'],
      submit: ['signedTransaction', 'transactionHash'],
      refresh: [],
      arming: 'settings',
    },
    answers: { acceptance: 'ref', asks: 'anybody' },
    orderPath: 'eth_sendRawTransaction',
    cancelPath: 'eth_sendRawTransaction',
    bookId: ({ marketId }) => marketId,
    marketKey({ listing }, id) {
      const [address, option] = id.split(':')
      return listing.byAddress.get(address!)!.options[Number(option) - 1]!.key
    },
    customer: (here) => walletOf(here, account),
    // The transactions of a wallet are sequential.
    another: (here, n) => walletOf(here, privateKeyToAccount(`0x${digestHex(`rain/wallet/${n}`).slice(0, 64)}`)),
    // A buy names an amount of cash.
    sized: (order, contracts) => ({ ...order, amount: (Number(order.price) * contracts).toFixed(6) }),
    cancelBody: (order) => ({ orderId: String(order?.ordinal ?? 7) }),
    // The wallet’s next transaction uses the nonce of the one that never arrived.
    shows: { neverCame: true },
    made: { rows: market(), order: buy, reads: nodeOf() },
    secrets: [],
    words: {
      ref: hash,
      acceptance: {
        order: JSON.stringify({ jsonrpc: '2.0', id: 1, result: hash }),
        cancel: JSON.stringify({ jsonrpc: '2.0', id: 1, result: hash }),
      },
      partly: null,
      refusal: {
        body: (message) => error(-32_000, `insufficient funds for gas * price + value: ${message}`),
        under: [200, ...clientErrors],
      },
      wrongKey: null,
      limited: { body: () => error(-32_005, 'rate limit exceeded'), under: [200, 429, ...clientErrors] },
      duplicate: { body: () => error(-32_000, 'nonce too low'), under: [200, ...clientErrors] },
      takesSameBytesOnce: true,
      undocumented: [error(-32_000, 'no'), error(3, 'execution reverted'), { error: 'insufficient funds for gas' }],
    },
  },
}
