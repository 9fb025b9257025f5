// A complete order with a throwaway wallet: build, sign, submit, watch it fill. `npx node docs/examples/order.mjs` while the demo runs. The
// service sees a signature and, for the length of one request, the venue's API key of that wallet; never the wallet's own key.
import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ask } from './ask.mjs'

const wallet = privateKeyToAccount(generatePrivateKey())

// 1. The best offer of the most active market.
const [market] = await ask('GET', '/api/polymarket/fetchMarkets?limit=1')
const asset = market.outcomes[0].outcomeId
const { asks } = await ask('GET', `/api/polymarket/fetchOrderBook?outcomeId=${asset}`)

// 2. Build: the unsigned artifact. The same key again gives the same execution, not a second order.
const order = { asset, isBuy: true, price: asks[0].price, size: 10, owner: wallet.address }
const key = randomUUID()
const built = await ask('POST', '/v1/exec/polymarket/orders/build', order, key)
const again = await ask('POST', '/v1/exec/polymarket/orders/build', order, key)
console.log('built', built.executionId, built.status, again.executionId === built.executionId)

// 3. Sign locally, and ask the venue for an API key of this wallet (the lab's, in the demo).
const signature = await wallet.signTypedData(built.unsigned)
const timestamp = String(Math.floor(Date.now() / 1000))
const attest = await wallet.signTypedData({
  domain: { name: 'ClobAuthDomain', version: '1', chainId: 137 },
  types: {
    ClobAuth: [
      { name: 'address', type: 'address' },
      { name: 'timestamp', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'message', type: 'string' },
    ],
  },
  primaryType: 'ClobAuth',
  message: {
    address: wallet.address,
    timestamp,
    nonce: 0n,
    message: 'This message attests that I control the given wallet',
  },
})
const l1 = { poly_address: wallet.address, poly_signature: attest, poly_timestamp: timestamp, poly_nonce: '0' }
const credentials = await (await fetch(`${process.env.CLOB}/auth/derive-api-key`, { headers: l1 })).json()

// 4. Submit: repeated calls send it only once.
const orders = `/v1/exec/polymarket/orders/${built.executionId}`
const attempt = randomUUID()
const sent = await ask('POST', `${orders}/submit`, { signature, ...credentials }, attempt)
const retry = await ask('POST', `${orders}/submit`, { signature, ...credentials }, attempt)
console.log('submitted', sent.status, sent.venueRef === retry.venueRef)

// 5. Read the status from the venue.
let seen = sent
for (let i = 0; i < 50 && seen.status !== 'filled'; i++) {
  seen = await ask('POST', `${orders}/refresh`, credentials)
  await new Promise((resolve) => setTimeout(resolve, 200))
}
console.log(seen.status, JSON.stringify(seen.fills))
