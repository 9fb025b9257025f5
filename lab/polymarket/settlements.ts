// The chain behind polymarket's lab: every trade is a call of `matchOrders` that waits for its block. Most are settled by the next one; a
// few are replaced first, revert, wait forever, or skip the mempool.
import type { Address, Hex } from 'viem'
import type { Clock, Timer } from '#core/clock'
import { LabChain } from '../chain/chain.ts'
import { Mempool } from '../chain/mempool.ts'
import type { PubSubNode } from '../chain/pubSubNode.ts'
import { startSocketNode } from '../chain/socketNode.ts'
import type { LabTrade } from '../engine/market.ts'
import { createPrng, digestHex, type Prng } from '../prng.ts'
import { tradeView } from './encode.ts'
import { encodeMatch, exchanges, type LabMatch, type LabOrder, logsOf, settle } from './exchange.ts'
import type { PolyMarket } from './marketGenerator.ts'
import { chainId } from './wallets.ts'

export interface PolygonLab {
  name: string
  urls: { WS: string }
  environment: { CROSSBOOK_POLYGON_WS_URL: string }
  mempool: Mempool
  node: PubSubNode
  stop(): Promise<void>
}

/** Twice as fast as the real one: people watch the demo. */
const blockDefaultMs = 1_000
const finalAfter = 1
/** Maximum per block; one per market. */
const perBlockMax = 15
const makersMax = 3
const callsPerWallet = 50
const micros = 1_000_000
const zeros: Hex = `0x${'0'.repeat(64)}`

export interface PolygonLabOptions {
  clock: Clock
  seed: string
  port?: number
  blockMs?: number
  /** Notified of every trade. */
  trades: { onTrade: ((market: PolyMarket, trade: LabTrade) => void) | null }
}

export async function startPolygonLab({
  clock,
  seed,
  port,
  blockMs = blockDefaultMs,
  trades,
}: PolygonLabOptions): Promise<PolygonLab> {
  const chain = new LabChain({ seed: `${seed}/polygon`, clock })
  chain.finalAfter = finalAfter
  const mempool = new Mempool(chain)
  const nodeServer = await startSocketNode(mempool, { chainId, port })
  const random = createPrng(`${seed}/settlements`)
  const inBlock = new Set<string>()
  let replacing: (() => void)[] = []
  let sent = 0

  function send(market: PolyMarket, trade: LabTrade): void {
    // How the exchange of protocol 2 settles is not known.
    if (market.protocol === 'v2' || inBlock.size >= perBlockMax || inBlock.has(market.key)) return
    inBlock.add(market.key)
    const { transactionHash: hash } = tradeView(market, trade)
    const exchange = market.event.negRisk ? exchanges.negRisk : exchanges.plain
    const match = matchOf(market, trade, random)
    const filled = settle(match, { exchange })
    if (filled === null) return
    const draw = random.int(100)
    const from = draw < 4 ? hash : `${seed}/operator/${Math.floor(sent / callsPerWallet)}`
    const nonce = draw < 4 ? 0 : sent++ % callsPerWallet
    const call = { from: addressOf(from), to: exchange, input: encodeMatch(match), nonce }
    const waiting = { hash, call, logs: logsOf(filled, exchange), outcome: 'settles' as const }
    if (draw < 1) mempool.submit({ ...waiting, outcome: 'waits' })
    else if (draw < 2) mempool.submit({ ...waiting, outcome: 'reverts' })
    else if (draw < 4) {
      mempool.submit({ ...waiting, hash: `0x${digestHex(`${hash}/first`)}`, outcome: 'waits' })
      replacing.push(() => mempool.submit(waiting))
    } else mempool.submit(waiting, { isPrivate: draw < 8 })
  }

  const blocks: Timer = clock.every(blockMs, () => {
    for (const replace of replacing) replace()
    replacing = []
    inBlock.clear()
    if (random.chance(0.02)) mempool.reorganise(1, () => true)
    mempool.mine()
  })
  trades.onTrade = send
  return {
    name: 'polygon',
    urls: { WS: nodeServer.url },
    environment: { CROSSBOOK_POLYGON_WS_URL: nodeServer.url },
    mempool,
    node: nodeServer.node,
    async stop() {
      trades.onTrade = null
      blocks.cancel()
      await nodeServer.stop()
    },
  }
}

const addressOf = (name: string): Address => `0x${digestHex(name).slice(0, 40)}`

/** A match that makes the trade: the taker's order, and makers that sell the taker's token or buy the other one. */
function matchOf(market: PolyMarket, trade: LabTrade, random: Prng): LabMatch {
  const { asset, side, priceMicros } = tradeView(market, trade)
  const other = market.tokens[asset === market.tokens[0] ? 1 : 0]
  const buys = side === 'BUY'
  const name = `${market.conditionId}/${trade.ordinal}`
  const units = BigInt(Math.round(trade.size * 100)) * 10_000n

  function order(who: string, token: string, sells: boolean, shares: bigint, price: number): LabOrder {
    const cash = (shares * BigInt(price)) / BigInt(micros)
    const maker = addressOf(who)
    return {
      salt: BigInt(`0x${digestHex(`${name}/${who}`).slice(0, 12)}`),
      maker,
      signer: maker,
      tokenId: BigInt(token),
      makerAmount: sells ? shares : cash,
      takerAmount: sells ? cash : shares,
      side: sells ? 1 : 0,
      signatureType: 0,
      timestamp: BigInt(trade.atMs),
      metadata: zeros,
      builder: zeros,
      signature: `0x${digestHex(`${name}/${who}/signature`)}`,
    }
  }

  const count = BigInt(1 + random.int(makersMax))
  const makers = Array.from({ length: Number(count) }, (_, i) => {
    const shares = i === 0 ? units - (units / count) * (count - 1n) : units / count
    const isComplementary = random.chance(0.6)
    const who = `maker ${random.int(200)}`
    return isComplementary
      ? order(who, asset, buys, shares, priceMicros)
      : order(who, other, !buys, shares, micros - priceMicros)
  })
  const taker = order(`taker ${random.int(500)}`, asset, !buys, units, priceMicros)
  return {
    conditionId: market.conditionId as Hex,
    taker,
    makers,
    takerFill: taker.makerAmount,
    makerFills: makers.map(({ makerAmount }) => makerAmount),
    takerFee: 0n,
    makerFees: makers.map(() => 0n),
  }
}
