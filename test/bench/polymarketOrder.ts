// The order hash of Polymarket, laid out by hand, beside viem's walk over the types. The same orders, in the same run.
import { hashTypedData } from 'viem'
import { exchanges } from '#venues/polymarket/exec/contracts'
import { domainOf, type OrderMessage, orderHash, orderTypes } from '#venues/polymarket/exec/typedData'
import { type Bench, cpuNsPerCall } from './bench.ts'

const calls = 2_000

const orders: readonly OrderMessage[] = Array.from({ length: 64 }, (_, i) => ({
  salt: String(9_007_199_254_740_991 - i * 7_919),
  maker: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47',
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  tokenId: `7132104567925221259462638553270691275033272857194253228963137931245558399${2_563 + i}`,
  makerAmount: String(11_782_400 + i),
  takerAmount: String(21_040_000 + i),
  side: i % 2 === 0 ? 0 : 1,
  signatureType: 2,
  timestamp: String(1_790_000_000_000 + i),
  metadata: `0x${'0'.repeat(64)}`,
  builder: `0x${'0'.repeat(64)}`,
}))
const at = (call: number): OrderMessage => orders[call % orders.length] as OrderMessage

const ours = (call: number) => orderHash(at(call), exchanges.normal)
const types = { Order: orderTypes.Order }
const theirs = (call: number) =>
  hashTypedData({
    domain: domainOf(exchanges.normal),
    types,
    primaryType: 'Order',
    message: at(call) as never,
  })

export const benches: readonly Bench[] = [
  {
    name: 'polymarketOrder.hash',
    async run() {
      for (let i = 0; i < orders.length; i++) if (ours(i) !== theirs(i)) throw new Error('the hashes differ')
      const [value, peerValue] = [ours, theirs].map((work) => cpuNsPerCall(work, { calls })) as [number, number]
      return [
        {
          bench: 'polymarketOrder.hash',
          metric: 'EIP-712 hash of one order',
          value,
          unit: 'ns',
          peer: 'viem hashTypedData',
          peerValue,
          ratio: peerValue / value,
        },
      ]
    },
  },
]
