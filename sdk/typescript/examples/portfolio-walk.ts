// A position from its purchase to the statement of the month, at six venues of the demo: buy, hold, net, stop, resolve, redeem. Three
// questions, each asked by two venues: YES is bought at one, NO at the other. A throwaway wallet signs; its key stays here.
//
//   npm run demo -- --venues kalshi,polymarket,limitless,hyperliquid,gemini,opinion
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type components, sign } from '@crossbook/client'
import { formatUnits, type Hex, keccak256, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { client } from './connect.ts'
import { type Login, lab, logIn } from './demo.ts'

const couples = [
  ['limitless', 'gemini'],
  ['polymarket', 'kalshi'],
  ['hyperliquid', 'opinion'],
] as const
const size = 100
/** Venues whose payout has to be collected. Elsewhere it is credited when the market resolves. */
const redeeming = new Set(['polymarket', 'limitless', 'opinion'])
/** Its submit takes nothing but a signature, so that a signed order can be left with the service. It takes no orders below $10. */
const hosting = 'hyperliquid'

type BuildBody = NonNullable<Parameters<typeof client.api.buildExecution>[0]['body']>
type SubmitBody = NonNullable<Parameters<typeof client.api.submitExecution>[0]['body']>

interface Held {
  venue: string
  marketId: string
  side: 'YES' | 'NO'
  /** What a share costs. */
  price: number
}

const walletKey = generatePrivateKey()
const wallet = privateKeyToAccount(walletKey)
const logins = new Map<string, Login>()
for (const venue of couples.flat()) logins.set(venue, await logIn(venue, walletKey, wallet.address))

/** Amounts are exact decimals with up to 18 places: never floats. */
const places = 18
const units = (amount: string): bigint => parseUnits(amount, places)

async function until<T>(what: string, read: () => Promise<T | null>, seconds = 60): Promise<T> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await wait(500)) {
    const found = await read().catch((error: unknown) => {
      if (error instanceof ApiError && error.retryable) return null
      throw error
    })
    if (found !== null) return found
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

// ── A question that both venues ask, with offers for the whole size ──

async function isRedeemable({ venue, marketId }: Held): Promise<boolean> {
  const { data } = await client.api.fetchMarket({ path: { exchange: venue }, query: { marketId } })
  const { negRisk = false, protocol } = data.sourceMetadata as { negRisk?: boolean; protocol?: string }
  return !negRisk && protocol !== 'v2'
}

const questions = new Set<string>()

async function findPair(venues: readonly string[]): Promise<[Held, Held] | null> {
  const query = { contracts: size, limit: 200, compat: false, venues: [...venues] }
  const { data } = await client.api.fetchArbitrage({ path: { exchange: 'router' }, query })
  for (const { question, matchBand, legs } of data) {
    const both = [legs.buyYes, legs.buyNo].map(({ venue, canonicalMarketId, side, vwap, fullyFilled }): Held | null => {
      if (canonicalMarketId === null || vwap === null || !fullyFilled) return null
      if (vwap < (venue === hosting ? 0.3 : 0.1) || vwap > 0.88) return null
      // An inverse question has its YES where the other has its NO.
      const named = side === 'yes' ? 'YES' : 'NO'
      return { venue, marketId: canonicalMarketId.slice(venue.length + 1), side: named, price: vwap }
    })
    const [yes, no] = both
    if (matchBand !== 'verified' || !yes || !no || questions.has(question)) continue
    const redeemed = [yes, no].filter(({ venue }) => redeeming.has(venue))
    if (!(await Promise.all(redeemed.map(isRedeemable))).every(Boolean)) continue
    questions.add(question)
    return [yes, no]
  }
  return null
}

// ── Orders ──

async function build({ venue, marketId, side }: Held, order: { isBuy: boolean; price: number; size: number }) {
  const { account } = logins.get(venue)!
  const price = Math.min(0.97, Math.max(0.01, order.price)).toFixed(2)
  const body = { outcome: marketId, outcomeSide: side, ...order, price, ...account }
  const { data } = await client.api.buildExecution({ path: { venue }, body: body as BuildBody })
  return data
}

async function submit(venue: string, built: components['schemas']['BuildExecutionAnswer']['data']) {
  const body = { ...logins.get(venue)!.keys, ...(await sign(built, wallet)) } as SubmitBody
  const { data } = await client.api.submitExecution({ path: { venue, executionId: built.executionId }, body })
  return data
}

/** A venue may report a fill later than it accepts the order. */
const filled = (venue: string, executionId: string) =>
  until(`${venue}: the fill of ${executionId}`, async () => {
    const { data } = await client.api.refreshExecution({
      path: { venue, executionId },
      body: logins.get(venue)!.read as never,
    })
    if (data.status === 'failed' || data.status === 'canceled')
      throw new Error(`${venue}: ${JSON.stringify(data.error)}`)
    return data.status === 'filled' ? data : null
  })

const positionOf = async ({ venue, marketId }: Held) => {
  const query = { venue, marketId, status: 'all' } as const
  const { data } = await client.api.listPositions({ query })
  return data[0]
}

// ── The walk ──

console.log('— build, submit, fill')
const pairs: [Held, Held][] = []
for (const venues of couples) {
  const pair = await until(`a pair of ${venues.join(' and ')}`, () => findPair(venues), 180)
  for (const leg of pair) {
    // Above the offers, so that it trades at once, at their prices.
    const built = await build(leg, { isBuy: true, price: leg.price + 0.1, size })
    await submit(leg.venue, built)
    await filled(leg.venue, built.executionId)
    console.log('filled', leg.venue, leg.side, leg.marketId)
  }
  pairs.push(pair)
}
const held = pairs.flat()

console.log('— hold')
for (const leg of held) {
  const { quantity, averageCost, costBasis, fees, currency, value } = (await positionOf(leg))!
  console.log('position', leg.venue, quantity, averageCost, 'cost', costBasis, currency, 'fees', fees, 'mid', value.mid)
}

console.log('— net')
const { data: groups } = await client.api.getExposure({ query: { by: 'group', limit: 100 } })
for (const [yes] of pairs) {
  const row = groups.find(
    (each) =>
      each.by === 'group' &&
      each.positions.some(({ venue, marketId }) => venue === yes.venue && marketId === yes.marketId),
  )
  if (row?.by !== 'group') throw new Error(`no exposure of ${yes.marketId}`)
  const { worstCase, bestCase, capitalUsed, lockedProfit } = row
  const cases = ['worst', worstCase, 'best', bestCase, 'used', capitalUsed, 'locked', lockedProfit]
  console.log('exposure', row.venues.join('+'), ...cases)
}

console.log('— stop')
for (const leg of held) {
  const { value, quantity } = (await positionOf(leg))!
  const mark = Number(value.mid ?? Number(quantity) * leg.price) / Number(quantity)
  const level = Number(Math.max(0.02, mark - 0.06).toFixed(2))
  const sale = await build(leg, { isBuy: false, price: level - 0.04, size: size / 2 })
  const isHosted = leg.venue === hosting
  const { data: armed } = await client.api.armConditional({
    body: {
      executionId: sale.executionId,
      trigger: { tpsl: 'sl', price: level, reference: 'bid', dwellMs: 500 },
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      fireMode: isHosted ? 'hosted' : 'client',
      // Without it, the service only says when the price is reached.
      ...(isHosted && { signedArtifact: { ...(await sign(sale, wallet)) } }),
    },
  })
  if (!isHosted) {
    const { data } = await client.api.cancelConditional({ path: { id: armed.id } })
    console.log('stop', leg.venue, armed.fireMode, data.status)
    continue
  }
  const below = level - 0.04
  await lab('move', (await positionOf(leg))!, { price: leg.side === 'YES' ? below : 1 - below })
  const status = await until(`${leg.venue}: the stop`, async () => {
    const { data } = await client.api.getConditional({ path: { id: armed.id } })
    return data.status === 'armed' || data.status === 'triggered' || data.status === 'firing' ? null : data.status
  })
  console.log('stop', leg.venue, armed.fireMode, status)
  await filled(leg.venue, sale.executionId)
}

console.log('— resolve')
for (const [yes, no] of pairs) {
  // The question comes true: the answer of an inverse one is no.
  for (const [leg, won] of [
    [yes, true],
    [no, false],
  ] as const) {
    const result = (leg.side === 'YES') === won ? 'yes' : 'no'
    await lab('resolve', (await positionOf(leg))!, { result })
  }
}
for (const leg of held) {
  const settled = await until(
    `${leg.venue}: the payout of ${leg.marketId}`,
    async () => {
      const position = await positionOf(leg)
      return position?.settlement == null ? null : position
    },
    300,
  )
  const { value, paid, unclaimed } = settled.settlement!
  console.log('resolved', leg.venue, 'pays', value, 'paid', paid, 'unclaimed', unclaimed, 'pnl', settled.realizedPnl)
}

console.log('— redeem')
const gasPrices = { maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 0n }
const redemptions: { path: { venue: string; executionId: string }; leg: Held }[] = []
/** Without a node of the chain, the outcome cannot be read: the owner states it, once no late copy can arrive. */
async function resolve(path: { venue: string; executionId: string }) {
  const { data: waiting } = await client.api.listUnresolvedOrders({ query: { venue: path.venue } })
  const order = waiting.find(({ executionId }) => executionId === path.executionId)
  const action = order?.actions.find((each) => each.kind === 'resolve')
  if (action === undefined || (action.from !== null && Date.parse(action.from) > Date.now())) return null
  const body = { outcome: 'filled', reason: 'the transaction is final' } as const
  return (await client.api.resolveExecution({ path, body })).data
}
/** Venues whose chain the demo serves: the service sends the signed transaction, and the chain decides. */
const chains = new Set(['limitless'])
for (const leg of held) {
  const { venue, marketId } = leg
  if (!redeeming.has(venue)) continue
  const body = { intent: 'redeem' as const, outcome: marketId, owner: wallet.address }
  const { data: built } = await client.api.buildExecution({ path: { venue }, body })
  const path = { venue, executionId: built.executionId }
  const signed = await sign(built, wallet, { transaction: { type: 'eip1559', nonce: 0, gas: 500_000n, ...gasPrices } })
  // Elsewhere the wallet sends it to a node of its own, and reports the hash.
  const redemption = chains.has(venue) ? { ...signed } : { transactionHash: keccak256(signed.signedTransaction as Hex) }
  const { data: sent } = await client.api.submitExecution({ path, body: redemption })
  console.log('redemption', venue, sent.status)
  redemptions.push({ path, leg })
}
for (const { path, leg } of redemptions) {
  await until(
    `${path.venue}: the redemption`,
    async () => {
      const seen = chains.has(path.venue)
        ? (await client.api.refreshExecution({ path, body: {} })).data
        : await resolve(path)
      return seen?.status === 'filled' ? seen.status : null
    },
    240,
  )
  const { settlement } = (await positionOf(leg))!
  console.log('redeemed', path.venue, 'paid', settlement?.paid, 'unclaimed', settlement?.unclaimed)
}

console.log('— statement')
const period = new Date().toISOString().slice(0, 7)
const { data: statement } = await client.api.getStatement({ path: { period } })
if (typeof statement === 'string') throw new Error('a statement in JSON was requested')
for (const { venue, currency, cashFlow, deposits, realizedPnl } of statement.totals) {
  const closing = statement.closing.filter((each) => each.venue === venue && each.currency === currency)
  // Limitless pays back what a purchase cost less than its limit, and does not report how much.
  if (cashFlow === null || realizedPnl === null) {
    console.log('statement', venue, currency, 'has a purchase of unknown cost')
    continue
  }
  // What is still held counts at its cost: what it earned since then is not realized.
  const value = closing.reduce((sum, { costBasis }) => sum + units(costBasis ?? '0'), 0n)
  const agrees = units(cashFlow) + value - units(deposits.known) === units(realizedPnl)
  const [held, pnl] = [formatUnits(value, places), `${agrees ? '=' : 'differs from'} pnl ${realizedPnl}`]
  console.log('statement', venue, currency, 'cash', cashFlow, 'value', held, 'less deposits', deposits.known, pnl)
}
