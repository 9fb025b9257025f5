// `eval "$(npx node docs/examples/quote.mjs kalshi)"`: a market of the venue that trades, as MARKET and OUTCOME (its YES), the best bid of it
// as BID, and the address of WALLET_KEY as OWNER.
import { privateKeyToAccount } from 'viem/accounts'

const [venue] = process.argv.slice(2)
const { CROSSBOOK_URL: url = 'http://127.0.0.1:8080', KEY, WALLET_KEY } = process.env

async function get(path) {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${KEY}` } })
  const { success, data, error } = await answer.json()
  if (!success) throw new Error(`${error.code}: ${error.message}`)
  return data
}

/** On the market's tick, and in whole cents, which every venue takes. */
function bidOf({ bids: [best] }, { tickSize }) {
  const step = Math.max(tickSize ?? 0, 0.01)
  const price = best === undefined ? 0 : Math.floor(best.price / step + 1e-9) * step
  return price > 0.1 && price < 0.9 ? price.toFixed(2) : null
}

for (const market of await get(`/api/${venue}/fetchMarkets?limit=50`)) {
  // What is rebuilt from a pool rests nowhere.
  if (market.status !== 'active' || market.outcomes.length !== 2 || market.sourceMetadata.synthetic === true) continue
  const [yes] = market.outcomes
  const bid = bidOf(await get(`/api/${venue}/fetchOrderBook?outcomeId=${encodeURIComponent(yes.outcomeId)}`), market)
  if (bid === null) continue
  const { address } = privateKeyToAccount(WALLET_KEY)
  const told = { MARKET: market.marketId, OUTCOME: yes.outcomeId, BID: bid, OWNER: address }
  for (const [name, value] of Object.entries(told)) console.log(`export ${name}='${value}'`)
  break
}
