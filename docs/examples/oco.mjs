// Buys a small amount, and arms a take-profit and a stop-loss on it as a pair of which one fires: `npx node docs/examples/oco.mjs` after
// quote.mjs, while the demo runs. Both sales are signed locally, now; the service stores them sealed, and stores no key.
import { randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { ask } from './ask.mjs'

const { WALLET_KEY, MARKET, BID } = process.env
const wallet = privateKeyToAccount(WALLET_KEY)
const orders = '/v1/exec/hyperliquid/orders'

async function signed(isBuy, price) {
  const order = { outcome: MARKET, outcomeSide: 'YES', isBuy, price: price.toFixed(2), size: 50, owner: wallet.address }
  const { executionId, unsigned } = await ask('POST', `${orders}/build`, order)
  return { executionId, artifact: { signature: await wallet.signTypedData(unsigned) } }
}

// 1. Buy: at a price that meets the offers.
const bid = Number(BID)
const bought = await signed(true, Math.min(0.98, bid + 0.1))
console.log('bought', (await ask('POST', `${orders}/${bought.executionId}/submit`, bought.artifact)).status)

// 2. Two sales of the same shares. Neither is sent; one waits above, the other below.
const ocoGroupId = randomUUID()
const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
for (const [tpsl, level, limit] of [
  ['tp', bid + 0.05, bid],
  ['sl', bid - 0.05, bid - 0.09],
]) {
  const { executionId, artifact } = await signed(false, limit)
  const trigger = { tpsl, price: Number(level.toFixed(2)), reference: 'bid', dwellMs: 500 }
  const order = { executionId, trigger, fireMode: 'hosted', signedArtifact: artifact, expiresAt, ocoGroupId }
  const armed = await ask('POST', '/v1/exec/conditional', order)
  console.log(tpsl, armed.id, armed.status, `when the bid is ${armed.trigger.when} ${armed.trigger.price}`)
}
