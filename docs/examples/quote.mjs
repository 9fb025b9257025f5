// `eval "$(npx node docs/examples/quote.mjs kalshi)"`: an active market of the venue, as MARKET and OUTCOME (its YES), its best bid as BID,
// and the address of WALLET_KEY as OWNER.
import { privateKeyToAccount } from 'viem/accounts'
import { ask } from './ask.mjs'

const [venue] = process.argv.slice(2)
const { WALLET_KEY } = process.env

const get = (path) => ask('GET', path)

/** On the market's tick, and in whole cents, which every venue takes. */
function bidOf({ bids: [best] }, { tickSize }) {
  const step = Math.max(tickSize ?? 0, 0.01)
  const price = best === undefined ? 0 : Math.floor(best.price / step + 1e-9) * step
  return price > 0.1 && price < 0.9 ? price.toFixed(2) : null
}

async function find() {
  for (const market of await get(`/api/${venue}/fetchMarkets?limit=50`)) {
    if (market.status !== 'active' || market.outcomes.length !== 2) continue
    // Pools have no resting orders, except Rain's, which keep a book of orders.
    if (market.sourceMetadata.executionModel === 'amm' && venue !== 'rain') continue
    const [yes] = market.outcomes
    const bid = bidOf(await get(`/api/${venue}/fetchOrderBook?outcomeId=${encodeURIComponent(yes.outcomeId)}`), market)
    if (bid !== null) return { MARKET: market.marketId, OUTCOME: yes.outcomeId, BID: bid }
  }
  return null
}

/** A program that has just started is still reading its catalogs. */
async function wait() {
  for (let left = 40; left > 0; left--) {
    const found = await find().catch((error) => (left === 1 ? Promise.reject(error) : null))
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error(`no market of ${venue} has a bid between 0.1 and 0.9`)
}

const variables = { ...(await wait()), OWNER: privateKeyToAccount(WALLET_KEY).address }
for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`)
