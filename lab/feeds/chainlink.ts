// The lab of Chainlink's oracles on Arbitrum: a chain with a node, a proxy for every pair at its real address, whose rounds follow the lab's
// prices, and the feed that reports whether the chain's sequencer is up.
import type { Hex } from 'viem'
import { LabChain } from '../chain/chain.ts'
import { aggregated, multicall } from '../chain/multicall.ts'
import { type Call, createAnswers, healthyNode, type NodeFaults } from '../chain/rpcHandlers.ts'
import { type CounterSnapshot, Counters } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { httpFaults } from '../httpFaults.ts'
import { createPrng } from '../prng.ts'
import { type LabRoute, ok, startHost } from '../venueServer.ts'
import { LabAggregator } from './aggregator.ts'
import type { FeedLabOptions } from './binance.ts'

export interface ChainlinkLab {
  /** Two endpoints of one chain: when the first does not answer, the second does. */
  urls: { RPC: string; SPARE: string }
  /** Faults in what the node reports; `faults`: in how it answers. */
  node: NodeFaults
  faults: Faults
  engine: Engine
  chain: LabChain
  /** By pair: BTC/USD. */
  proxies: ReadonlyMap<string, LabAggregator>
  sequencer: LabAggregator
  /** Rounds stop following the prices. */
  pause(): void
  counters(): CounterSnapshot
  stop(): Promise<void>
}

const chainId = 42_161
const addresses: Readonly<Record<string, string>> = {
  BTC: '0x6ce185860a4963106506C203335A2910413708e9',
  ETH: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612',
  SOL: '0x24ceA4b8ce57cdA5058b924B9B9987992450590c',
  LINK: '0x86E53CF1B870786351Da77A57575e79CB55812CB',
  BNB: '0x6970460aabF80C5BE983C6b74e5D06dEDCA95D4A',
  XRP: '0xB4AD57B52aB9141de9926a3e0C8dc6264c2ef205',
  DOGE: '0x9A7FB1b3950837a8D9b40517626E11D4127C098C',
  USDC: '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3',
  EUR: '0xA14d53bC1F1c0F31B4aA3BD109344E5009051a84',
  XAU: '0x1F954Dc24a49708C26E0C1777f16750B5C6d5a2c',
  HYPE: '0xf9ce4fE2F0EcE0362cb416844AE179a49591D567',
}
const sequencerAddress = '0xFdB631F5EE196F0ed6FAa767959853A9F217697D'
/** A price move of this size triggers a new round. */
const deviation = 0.000_5
const blockMs = 1_000
/** Rounds before the lab began, ten minutes apart, in a phase older than they are. */
const roundsBefore = 120
const roundEverySeconds = 600
const firstRound = 13_078
/** One in this many was never recorded, another never answered. */
const holeEvery = 17
/** A recently added pair: its phase is young. */
const young = { asset: 'HYPE', phase: 2, rounds: 7 }
const ignore = (): undefined => undefined

export async function startChainlinkLab({ clock, seed, port, prices }: FeedLabOptions): Promise<ChainlinkLab> {
  const chain = new LabChain({ seed: `${seed}/chainlink`, clock })
  const node = healthyNode(chainId)
  const seconds = (): number => Math.floor(clock.now() / 1_000)
  const proxies = new Map(
    Object.entries(addresses).map(([asset, address]) => [`${asset}/USD`, past(asset, address)] as const),
  )
  const sequencer = new LabAggregator({
    address: sequencerAddress,
    description: 'L2 Sequencer Uptime Status Feed',
    decimals: 0,
  })
  sequencer.write(1, { answer: 0n, startedAt: seconds() - 30 * 86_400, updatedAt: seconds() - 60 })
  const contracts = new Map([...proxies.values(), sequencer].map((each) => [each.address, each]))

  /** Generated backward from the current price. */
  function past(asset: string, address: string): LabAggregator {
    const isYoung = asset === young.asset
    const proxy = new LabAggregator({ address, description: `${asset} / USD`, ...(isYoung && { phase: young.phase }) })
    const random = createPrng(`${seed}/rounds/${asset}`)
    const count = isYoung ? young.rounds : roundsBefore
    let price = prices.price(asset)
    for (let n = 0; n < count; n++) {
      const number = isYoung ? count - n : firstRound - n
      const at = seconds() - 5 - n * roundEverySeconds
      const hole = n > 0 && n % holeEvery === 0
      const unanswered = n > 0 && n % holeEvery === 5
      proxy.write(
        number,
        hole
          ? null
          : { answer: proxy.scaled(price), startedAt: unanswered ? 0 : at - 3, updatedAt: unanswered ? 0 : at },
      )
      price *= 1 + (random.next() - 0.5) * 0.002
    }
    return proxy
  }

  const blockAt = (): number => chain.block(Math.max(1, chain.head.number - node.behind))!.timestamp

  function read(to: string, data: Hex): Hex | null {
    const address = to.toLowerCase()
    if (address === multicall) return aggregated(data, read, blockAt())
    try {
      return contracts.get(address)?.read(data) ?? null
    } catch {
      // A function it does not have.
      return null
    }
  }
  chain.machine = {
    call({ to, input }) {
      const returned = read(to, input as Hex)
      return returned === null ? { reverted: '0x' } : { returned }
    },
    execute: () => ({ reverted: '0x' }),
  }

  let isPaused = false
  prices.onMove(() => {
    if (isPaused) return
    for (const [pair, proxy] of proxies) {
      const price = prices.price(pair.split('/')[0]!)
      if (Math.abs(price / (proxy.price ?? 0) - 1) >= deviation) proxy.answer(price, seconds())
    }
  })
  const blocks = clock.every(blockMs, () => void chain.mine())

  const counters = new Counters()
  const { engine, faults, ...bare }: ReturnType<typeof httpFaults> = httpFaults({ clock, seed }, () => host.sockets)
  const answer = createAnswers(chain, node, new Map())
  const nodeRoute = (path: string): LabRoute => ({
    method: 'POST',
    path,
    handle: ({ body }) => ok(Array.isArray(body) ? (body as Call[]).map(answer) : answer(body as Call)),
  })
  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port,
    sendQueueMaxBytes: undefined,
    routes: [nodeRoute('/rpc'), nodeRoute('/spare')],
    refusalBody: (status) => ({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_005, message: `refused with ${status}: the key is lab-key-canary` },
    }),
    isSocketPath: () => false,
    refuseUpgrade: () => null,
    open: () => ({ message: ignore, closed: ignore }),
    notFound: () => ({ status: 404, body: { message: 'not found' } }),
  })
  const base = `http://127.0.0.1:${host.port}`
  return {
    urls: { RPC: `${base}/rpc`, SPARE: `${base}/spare` },
    node,
    faults,
    engine,
    chain,
    proxies,
    sequencer,
    pause() {
      isPaused = true
    },
    counters: () => counters.snapshot(),
    async stop() {
      blocks.cancel()
      bare.stop()
      await host.stop()
    },
  }
}
