// The order as the exchange contract hashes it. The hash is the venue's order id.
// https://docs.polymarket.com/developers/CLOB/orders/create-order
import { domainSeparator, keccak256, stringToHex } from 'viem'
import { chainId, exchanges, type Hex } from './contracts.ts'

/** uint256 as decimal text. */
export interface OrderMessage {
  salt: string
  maker: Hex
  signer: Hex
  tokenId: string
  makerAmount: string
  takerAmount: string
  /** 0 buys, 1 sells. */
  side: 0 | 1
  signatureType: 0 | 1 | 2
  /** Epoch ms. */
  timestamp: string
  metadata: Hex
  builder: Hex
}

export const orderTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const

export const domainOf = (verifyingContract: Hex) =>
  ({ name: 'Polymarket CTF Exchange', version: '2', chainId, verifyingContract }) as const

const typeHash = keccak256(
  stringToHex(`Order(${orderTypes.Order.map(({ name, type }) => `${type} ${name}`).join(',')})`),
)

const separators: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(exchanges).map((exchange) => [exchange, domainSeparator({ domain: domainOf(exchange) }).slice(2)]),
)

/** Laid out by hand: every member is one word, so the struct needs no type walk. `exchange` is one of `exchanges`. */
export function orderHash(order: OrderMessage, exchange: (typeof exchanges)[keyof typeof exchanges]): Hex {
  const struct = keccak256(
    `${typeHash}${word(order.salt)}${address(order.maker)}${address(order.signer)}${word(order.tokenId)}${word(
      order.makerAmount,
    )}${word(order.takerAmount)}${word(order.side)}${word(order.signatureType)}${word(
      order.timestamp,
    )}${order.metadata.slice(2)}${order.builder.slice(2)}`,
  )
  return keccak256(`0x1901${separators[exchange]}${struct.slice(2)}`)
}

const word = (value: string | number): string => BigInt(value).toString(16).padStart(64, '0')
const address = (value: Hex): string => value.slice(2).padStart(64, '0')
