// A first strategy: buy at the best bid, sell a cent higher, at no risk with a paper key. `KEY=xb_paper_… npx node docs/examples/strategy.mjs
// kalshi 3` makes three rounds. It works with any key: with a live one, `submit` also takes what the venue needs.
import { randomUUID } from 'node:crypto'
import { ask } from './ask.mjs'

const [venue = 'kalshi', rounds = '3'] = process.argv.slice(2)
const secondsPerOrder = 5
const cents = (price) => (Math.round(price * 100) / 100).toFixed(2)
const pause = () => new Promise((resolve) => setTimeout(resolve, 250))

/** A market of two outcomes with a bid and an ask that leave room. */
async function find() {
  for (const market of await ask('GET', `/api/${venue}/fetchMarkets?limit=50`)) {
    if (market.status !== 'active' || market.outcomes.length !== 2) continue
    const asset = market.outcomes[0].outcomeId
    const { bids, asks } = await ask('GET', `/api/${venue}/fetchOrderBook?outcomeId=${encodeURIComponent(asset)}`)
    if (bids[0]?.price > 0.1 && asks[0]?.price < 0.9) return { asset, bid: bids[0].price, ask: asks[0].price }
  }
  throw new Error(`no market of ${venue} has a bid and an ask between 0.1 and 0.9`)
}

/** Builds and submits; returns how much was filled, and cancels the rest. */
async function trade(order) {
  const { executionId } = await ask('POST', `/v1/exec/${venue}/orders/build`, order, randomUUID())
  const path = `/v1/exec/${venue}/orders/${executionId}`
  let seen = await ask('POST', `${path}/submit`, {}, randomUUID())
  for (let left = secondsPerOrder * 4; left > 0 && seen.status === 'acked'; left--) {
    await pause()
    seen = await ask('POST', `${path}/refresh`, {})
  }
  if (seen.status === 'acked') {
    const cancel = await ask('POST', `${path}/cancel`, {}, randomUUID())
    await ask('POST', `/v1/exec/${venue}/orders/${cancel.executionId}/submit`, {}, randomUUID())
    for (let left = 40; left > 0 && seen.status === 'acked'; left--) {
      await pause()
      seen = await ask('POST', `${path}/refresh`, {})
    }
  }
  return Number(seen.matchedSize ?? 0)
}

for (let round = 1; round <= Number(rounds); round++) {
  const { asset, bid, ask: offer } = await find()
  // Every second round takes the offer, so that something happens in a quiet market, too.
  const price = cents(round % 2 === 0 ? offer : bid)
  const bought = await trade({ asset, isBuy: true, price, size: 10 })
  const sold = bought === 0 ? 0 : await trade({ asset, isBuy: false, price: cents(Number(price) + 0.01), size: bought })
  console.log(`round ${round}: bought ${bought} at ${price} or better, sold ${sold}`)
}

const { balances, positions } = await ask('GET', '/v1/paper/account')
for (const { currency, cash } of balances) console.log(`cash ${cash} ${currency}`)
for (const { outcomeId, quantity } of positions) console.log(`holds ${quantity} of ${outcomeId}`)
