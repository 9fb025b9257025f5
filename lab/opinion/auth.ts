// Authentication of the lab's opinion: a key for each wallet that signs a proof, and the wallet's Safe.
// From first principles: EIP-712 by viem, following the documentation of the self-service key.
import type { IncomingHttpHeaders } from 'node:http'
import { getAddress, type Hex, isAddressEqual, recoverTypedDataAddress } from 'viem'
import { digestHex } from '../prng.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'

export const chainId = 56

/** Validity of a proof, seconds. */
const proofSeconds = 300

export interface Trader {
  apiKey: string
  /** The EOA. */
  wallet: Hex
  /** Holds its assets; the lab derives it from the wallet, the venue creates one when trading is enabled. */
  safe: Hex
}

export const okEnvelope = (result: unknown): LabReply => ok({ errmsg: '', errno: 0, result })
export const refused = (status: number, errno: number, errmsg: string): LabReply => ({
  status,
  body: { errmsg, errno, result: null },
})
export const wrongKey = refused(401, 11_002, 'Invalid API key')
const badProof = refused(200, 11_011, 'Invalid signature')

const actions = { POST: 'create', GET: 'get', DELETE: 'delete' } as const

/** The signer; null for an invalid signature. */
export const signedBy = (given: {
  address: Hex
  action: string
  timestamp: string
  signature: Hex
}): Promise<Hex | null> =>
  recoverTypedDataAddress({
    domain: { name: 'Opinion OpenAPI', version: '1', chainId },
    types: {
      OpinionApiKeyAuth: [
        { name: 'walletAddress', type: 'address' },
        { name: 'action', type: 'string' },
        { name: 'timestamp', type: 'string' },
      ],
    },
    primaryType: 'OpinionApiKeyAuth',
    message: { walletAddress: given.address, action: given.action, timestamp: given.timestamp },
    signature: given.signature,
  }).catch(() => null)

export class OpinionAuth {
  private readonly traders = new Map<string, Trader>()
  private readonly usedProofs = new Set<string>()
  private readonly seed: string
  private readonly nowMs: () => number

  constructor(seed: string, nowMs: () => number) {
    this.seed = seed
    this.nowMs = nowMs
  }

  /** The account's trader, or the refusal. */
  admit({ apikey }: IncomingHttpHeaders): Trader | LabReply {
    return this.traders.get(String(apikey ?? '')) ?? wrongKey
  }

  isKey(key: string): boolean {
    return this.traders.has(key)
  }

  safeOf(wallet: Hex): Hex {
    return getAddress(`0x${digestHex(`${this.seed}/opinion/safe/${wallet.toLowerCase()}`).slice(0, 40)}`)
  }

  routes(): LabRoute[] {
    const route = (method: keyof typeof actions): LabRoute => ({
      method,
      path: '/openapi/auth/api-key',
      handle: (request) => this.keyOf(request, actions[method]),
    })
    return [route('POST'), route('GET'), route('DELETE')]
  }

  private async keyOf({ headers }: LabRequest, action: 'create' | 'get' | 'delete'): Promise<LabReply> {
    const { opinion_address: address, opinion_signature: signature, opinion_timestamp: timestamp } = headers
    if (typeof address !== 'string' || typeof signature !== 'string' || typeof timestamp !== 'string') return badProof
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || !/^\d{1,12}$/.test(timestamp)) return badProof
    if (Math.abs(Number(timestamp) - this.nowMs() / 1_000) > proofSeconds)
      return refused(200, 11_012, 'Signature expired')
    const proof = { address: address as Hex, action, timestamp, signature: signature as Hex }
    const signer = await signedBy(proof)
    if (signer === null || !isAddressEqual(signer, address as Hex)) return badProof
    if (action !== 'get') {
      if (this.usedProofs.has(signature)) return refused(200, 11_013, 'Signature already used')
      this.usedProofs.add(signature)
    }
    const apiKey = digestHex(`${this.seed}/opinion/key/${signer.toLowerCase()}`).slice(0, 32)
    if (action === 'delete') return okEnvelope({ deleted: this.traders.delete(apiKey) })
    if (action === 'create') {
      if (this.traders.has(apiKey)) return refused(200, 11_009, 'API key already exists')
      this.traders.set(apiKey, { apiKey, wallet: signer, safe: this.safeOf(signer) })
    }
    if (!this.traders.has(apiKey)) return refused(200, 11_010, 'No API key found for this wallet')
    return okEnvelope({ apiKey, walletAddress: signer })
  }
}
