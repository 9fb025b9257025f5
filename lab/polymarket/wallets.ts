// Authentication of the lab's CLOB: API keys for wallets that sign a proof (L1), and the check of every private call (L2).
// From first principles: EIP-712 and address derivation by viem, HMAC by node.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  recoverTypedDataAddress,
} from 'viem'
import { digestHex, stableUuid } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'

export const chainId = 137

/** Maximum deviation of timestamps, seconds. */
const skewMaxSeconds = 60

export interface ApiKey {
  apiKey: string
  secret: string
  passphrase: string
  /** Checksummed or not, as in the proof. */
  address: Hex
}

const proxyFactory = '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052'
const safeFactory = '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b'
/** Keccak of the code that the proxy factory creates: a clone of its implementation 0x44e999d5c2F66Ef0861317f9A4805AC2e90aEB4f. */
export const proxyCodeHash = '0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b'
const safeCodeHash = '0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf'

const refused = (error: string): LabReply => ({ status: 401, body: { error } })

/** The signer of these L1 headers; null for an invalid signature. */
export const provenBy = (
  given: { address: Hex; timestamp: string; nonce: bigint; signature: Hex },
  chain = chainId,
): Promise<Hex | null> =>
  recoverTypedDataAddress({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: chain },
    types: clobAuthTypes,
    primaryType: 'ClobAuth',
    message: {
      address: given.address,
      timestamp: given.timestamp,
      nonce: given.nonce,
      message: 'This message attests that I control the given wallet',
    },
    signature: given.signature,
  }).catch(() => null)

const clobAuthTypes = {
  ClobAuth: [
    { name: 'address', type: 'address' },
    { name: 'timestamp', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'message', type: 'string' },
  ],
} as const

export class Wallets {
  private readonly keys = new Map<string, ApiKey>()
  private readonly seed: string
  private readonly nowMs: () => number

  constructor(seed: string, nowMs: () => number) {
    this.seed = seed
    this.nowMs = nowMs
  }

  /** Creates or derives: the same wallet and nonce give the same key. */
  async open(headers: IncomingHttpHeaders): Promise<ApiKey | LabReply> {
    const { poly_address: address, poly_signature: signature, poly_timestamp: timestamp } = headers
    const nonce = headers.poly_nonce ?? '0'
    if (typeof address !== 'string' || typeof signature !== 'string' || typeof timestamp !== 'string') {
      return refused('Invalid L1 Request headers')
    }
    if (this.expired(timestamp)) return refused('Invalid L1 Request headers')
    if (!/^\d{1,78}$/.test(String(nonce))) return refused('Invalid L1 Request headers')
    const signer = await provenBy({
      address: address as Hex,
      timestamp,
      nonce: BigInt(String(nonce)),
      signature: signature as Hex,
    })
    if (signer === null || !isAddressEqual(signer, address as Hex)) return refused('Invalid L1 Request headers')
    const name = `${this.seed}/polymarket/key/${address.toLowerCase()}/${nonce}`
    const key: ApiKey = {
      apiKey: stableUuid(name),
      secret: createHash('sha256').update(`${name}/secret`).digest('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: digestHex(`${name}/passphrase`),
      address: signer,
    }
    this.keys.set(key.apiKey, key)
    return key
  }

  /** `path` without the service's prefix and without its query. */
  admit(headers: IncomingHttpHeaders, method: string, path: string, text: string): ApiKey | LabReply {
    const key = this.keys.get(String(headers.poly_api_key ?? ''))
    const { poly_address: address, poly_signature: signature, poly_timestamp: timestamp } = headers
    if (key === undefined || headers.poly_passphrase !== key.passphrase) return refused('Unauthorized/Invalid api key')
    if (typeof address !== 'string' || typeof signature !== 'string' || typeof timestamp !== 'string') {
      return refused('Unauthorized/Invalid api key')
    }
    if (address.toLowerCase() !== key.address.toLowerCase() || this.expired(timestamp)) {
      return refused('Unauthorized/Invalid api key')
    }
    const secret = Buffer.from(key.secret.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
    const expected = createHmac('sha256', secret)
      .update(`${timestamp}${method}${path}${text}`)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_')
    const [given, right] = [Buffer.from(signature), Buffer.from(expected)]
    if (given.length !== right.length || !timingSafeEqual(given, right)) return refused('Unauthorized/Invalid api key')
    return key
  }

  private expired(seconds: string): boolean {
    return !/^\d{1,12}$/.test(seconds) || Math.abs(Number(seconds) - this.nowMs() / 1_000) > skewMaxSeconds
  }
}

/** Every wallet that a signer can trade for: of deposit wallets those made since 2026-06-29, and those made before. */
export const walletsOf = (signer: Hex, signatureType: number): readonly Hex[] =>
  signatureType === 3 ? [depositWalletOf(signer), earlierDepositWalletOf(signer)] : [walletOf(signer, signatureType)]

/** The signer's proxy, Safe or present deposit wallet, as the exchange derives it. */
export function walletOf(signer: Hex, signatureType: number): Hex {
  if (signatureType === 0) return signer
  if (signatureType === 3) return depositWalletOf(signer)
  return signatureType === 1
    ? proxyOf(signer, proxyFactory, proxyCodeHash)
    : getContractAddress({
        opcode: 'CREATE2',
        from: safeFactory,
        salt: keccak256(encodeAbiParameters([{ type: 'address' }], [signer])),
        bytecodeHash: safeCodeHash,
      })
}

const depositFactory = '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07'
/** A beacon proxy of Solady's LibClone with 64 bytes of arguments: what comes before and behind the beacon's address. */
const [depositHead, depositTail] = [
  '6100923d8160233d3973',
  '60195155f3363d3d373d3d363d602036600436635c60da1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
]
const depositBeacon = '7a18edfe055488a3128f01f563e5b479d92ffc3a'

/** A plain ERC-1967 proxy of the same library, with the same arguments. */
const [earlierHead, earlierTail] = [
  '61007d3d8160233d3973',
  '60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
]
const earlierImplementation = '58ca52ebe0dadfdf531cde7062e76746de4db1eb'

function depositWalletFrom(owner: Hex, head: string, target: string, tail: string): Hex {
  const words = [depositFactory, owner].map((address) => address.slice(2).toLowerCase().padStart(64, '0')).join('')
  return getContractAddress({
    opcode: 'CREATE2',
    from: depositFactory,
    salt: keccak256(`0x${words}`),
    bytecodeHash: keccak256(`0x${head}${target}${tail}${words}`),
  })
}
const depositWalletOf = (owner: Hex): Hex => depositWalletFrom(owner, depositHead, depositBeacon, depositTail)
const earlierDepositWalletOf = (owner: Hex): Hex =>
  depositWalletFrom(owner, earlierHead, earlierImplementation, earlierTail)

export const proxyOf = (signer: Hex, from: Hex, bytecodeHash: Hex): Hex =>
  getContractAddress({ opcode: 'CREATE2', from, salt: keccak256(signer), bytecodeHash })
