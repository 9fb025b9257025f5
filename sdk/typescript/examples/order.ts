// Build, check, sign, submit, follow. The wallet's key stays here: the service only receives a signature.
import { sign } from '@crossbook/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { activeMarket, client } from './connect.ts'

const venue = 'hyperliquid'
const wallet = privateKeyToAccount(generatePrivateKey())
const { market, book } = await activeMarket(venue)
const stream = client.stream()
const orders = stream.subscribeOrders()

// 1. Build far below the best bid, so that it rests. A repeated call with the same key returns the same execution.
const price = (book.bids[0]!.price / 2).toFixed(2)
const order = {
  outcome: market.marketId,
  outcomeSide: 'YES' as const,
  isBuy: true,
  price,
  size: 200,
  owner: wallet.address,
}
const { data: built } = await client.api.buildExecution({ path: { venue }, body: order })
console.log('built', built.executionId, JSON.stringify(built.summary))

// 2. Sign locally. A viem account is a signer.
const signed = await sign(built, wallet)

// 3. Submit once: however often the network fails, all attempts of a call have the same key.
const { executionId } = built
await client.api.submitExecution({ path: { venue, executionId }, body: { ...signed } })

// 4. Follow the order: first everything that is in flight when the subscription begins, which may be later than the submit, then every
// change, whatever caused it.
for await (const event of orders) {
  const executions = event.type === 'snapshot' ? event.executions : event.type === 'execution' ? [event.execution] : []
  const mine = executions.find((each) => each.executionId === executionId)
  if (mine === undefined) continue
  console.log('now', mine.status)
  if (mine.status === 'acked' || mine.status === 'filled') break
}

// 5. Cancel it: a cancellation is a build of its own.
const { data: cancel } = await client.api.cancelExecution({ path: { venue, executionId }, body: {} })
const ids = { venue, executionId: cancel.executionId }
const { data: sent } = await client.api.submitExecution({ path: ids, body: { ...(await sign(cancel, wallet)) } })
console.log('cancel', sent.status)
stream.close()
