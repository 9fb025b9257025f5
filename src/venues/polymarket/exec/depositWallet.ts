// Deposit wallets: the contract wallets of accounts made since May 2026. Their address follows from the owner's, and an order of theirs carries a
// signature that the wallet verifies itself (ERC-1271, nested as ERC-7739 says). https://docs.polymarket.com/trading/deposit-wallets
import {
  concat,
  encodeAbiParameters,
  getContractAddress,
  hashDomain,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  stringToHex,
} from 'viem'
import { CallReverted } from '#net/chainNode'
import type { LaneContext } from '../../lane.ts'
import { chainOf, hasNodes, readContract } from '../../shared/evm.ts'
import { badSignature } from '../../shared/exec/signature.ts'
import {
  chainId,
  domainOf,
  type Exchange,
  type Hex,
  type OrderMessage,
  order,
  orderHash,
  zeroBytes32,
} from './typedData.ts'

const factory: Hex = '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07'
/** Of wallets made since 2026-06-29. */
const beacon: Hex = '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a'
/** Of those before. */
const implementation: Hex = '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB'

/** Solady's LibClone: creation code of a proxy with arguments behind it. */
const beaconProxy = {
  prefix: 0x6100523d8160233d3973n,
  code: concat([
    '0x60195155f3363d3d373d3d363d602036600436635c60da',
    '0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c',
    '0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
  ]),
}
const upgradeableProxy = {
  prefix: 0x61003d3d8160233d3973n,
  code: concat([
    '0x6009',
    '0x5155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076',
    '0xcc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
  ]),
}

function walletOf(owner: Hex, target: Hex, { prefix, code }: typeof beaconProxy): Hex {
  const args = encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [factory, pad(owner, { size: 32 })])
  const length = BigInt((args.length - 2) / 2)
  const creation = concat([numberToHex(prefix + (length << 56n), { size: 10 }), target, code, args])
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: keccak256(args),
    bytecodeHash: keccak256(creation),
  })
}

/** The addresses that an owner's wallet can have, by when it was made: newest first. */
export const depositWalletsOf = (owner: Hex): readonly [current: Hex, earlier: Hex] => [
  walletOf(owner, beacon, beaconProxy),
  walletOf(owner, implementation, upgradeableProxy),
]

export const isDepositWallet = (wallet: string, owner: Hex): boolean =>
  depositWalletsOf(owner).some((derived) => derived.toLowerCase() === wallet.toLowerCase())

const orderType = `Order(${order.types.Order.map(({ type, name }) => `${type} ${name}`).join(',')})`

/** What the owner signs: the order, and the wallet it is for, in the exchange's domain. */
const signTypes = {
  TypedDataSign: [
    { name: 'contents', type: 'Order' },
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
    { name: 'salt', type: 'bytes32' },
  ],
  Order: order.types.Order,
} as const

export const signRequestTypes = { EIP712Domain: order.types.EIP712Domain, ...signTypes }

/** The digest whose signature the wallet accepts. */
export const walletDigest = (message: OrderMessage, exchange: Exchange): Hex =>
  hashTypedData({
    domain: domainOf(exchange),
    types: signTypes,
    primaryType: 'TypedDataSign',
    message: nested(message),
  })

const nested = (message: OrderMessage) => ({
  contents: message as never,
  name: 'DepositWallet',
  version: '1',
  chainId: BigInt(chainId),
  verifyingContract: message.signer,
  salt: zeroBytes32,
})

/** Ready for the owner's signTypedData, in place of the order itself. */
export const signRequest = (message: OrderMessage, exchange: Exchange) => ({
  domain: domainOf(exchange),
  types: signRequestTypes,
  primaryType: 'TypedDataSign' as const,
  message: { ...nested(message), contents: message, chainId: String(chainId) },
})

/** As the venue's client posts it: the owner's signature, the exchange's domain, the order's hash and its type with its length. */
export const walletSignature = (message: OrderMessage, exchange: Exchange, inner: Hex): Hex =>
  concat([
    inner,
    hashDomain({
      domain: domainOf(exchange) as never,
      types: { EIP712Domain: order.types.EIP712Domain as never },
    }),
    hashStruct({ data: message as never, types: { Order: order.types.Order }, primaryType: 'Order' }),
    stringToHex(orderType),
    numberToHex(orderType.length, { size: 2 }),
  ])

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** ERC-1271: the signature is valid. */
const magic = '0x1626ba7e'

/** Calls the wallet itself when a node is configured. If the node does not answer, the venue decides. */
export async function checkWithWallet(
  context: LaneContext,
  { message, exchange, signature }: { message: OrderMessage; exchange: Exchange; signature: Hex },
): Promise<void> {
  if (!hasNodes(context)) return
  const node = chainOf(context, 'polymarket', chainId)
  const args = [orderHash(message, exchange), walletSignature(message, exchange, signature)] as const
  try {
    const answer = await readContract(
      node,
      { address: message.signer, abi, functionName: 'isValidSignature', args },
      'latest',
    )
    if (answer === magic) return
  } catch (error) {
    if (!(error instanceof CallReverted)) {
      context.log.warn({ err: error }, 'the node did not say whether the deposit wallet accepts the signature')
      return
    }
  }
  throw badSignature('polymarket', 'the deposit wallet does not accept it')
}
