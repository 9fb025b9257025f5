// Authentication of the lab's predictfun: a token for a wallet that signed the given message, or for the smart wallet that it owns.
// From first principles: personal signatures by viem, Kernel's hash wrapping as in the venue's documentation.
import {
  concat,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hashDomain,
  hashMessage,
  isAddressEqual,
  keccak256,
  recoverAddress,
  toHex,
} from 'viem'
import { digestHex } from '../prng.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'

export const chainId = 56
const validator = '0x845adb2c711129d4f3966735ed98a9f09fc4ce57'
/** A token is valid for a day. */
const tokenMs = 86_400_000

export const refused = (status: number, error: string, message: string): LabReply => ({
  status,
  body: { success: false, code: status, error, message, timestamp: '2026-09-06T14:53:22Z', trace: '0'.repeat(32) },
})
export const wrongKey = refused(401, 'unauthorized', 'authorization error')

export class PredictAuth {
  private readonly tokens = new Map<string, { wallet: Hex; untilMs: number }>()
  /** The owner of each smart wallet requested so far. */
  private readonly owners = new Map<string, Hex>()
  private readonly seed: string
  private readonly nowMs: () => number
  private readonly isKey: (key: unknown) => boolean
  private issued = 0

  constructor(options: { seed: string; nowMs(): number; isKey(key: unknown): boolean }) {
    this.seed = options.seed
    this.nowMs = options.nowMs
    this.isKey = options.isKey
  }

  /** The smart wallet of an owner; the venue creates one at sign-up. */
  accountOf(owner: Hex): Hex {
    const account = getAddress(`0x${digestHex(`${this.seed}/predictfun/account/${owner.toLowerCase()}`).slice(0, 40)}`)
    this.owners.set(account, owner)
    return account
  }

  /** The wallet a call acts for, or the refusal. */
  admit({ headers }: LabRequest): Hex | LabReply {
    if (!this.isKey(headers['x-api-key'])) return wrongKey
    const token = this.tokens.get(String(headers.authorization ?? '').replace(/^Bearer /, ''))
    return token === undefined || token.untilMs < this.nowMs() ? wrongKey : token.wallet
  }

  /** True for the wallet's own signature over a hash, or its owner's in the form that a smart wallet accepts. */
  async isSignedBy(wallet: Hex, hash: Hex, signature: Hex): Promise<boolean> {
    const owner = this.owners.get(getAddress(wallet))
    const inner = owner === undefined ? signature : this.unwrapped(signature)
    const signed = owner === undefined ? hash : hashMessage({ raw: kernelDigest(wallet, hash) })
    if (inner === null || !/^0x[0-9a-f]{130}$/i.test(inner)) return false
    const signer = await recoverAddress({ hash: signed, signature: inner }).catch(() => null)
    return signer !== null && isAddressEqual(signer, owner ?? wallet)
  }

  routes(): LabRoute[] {
    return [
      {
        method: 'GET',
        path: '/v1/auth/message',
        handle: ({ headers }) =>
          this.isKey(headers['x-api-key'])
            ? ok({ success: true, data: { message: 'Sign this message to authenticate with predict.fun' } })
            : wrongKey,
      },
      { method: 'POST', path: '/v1/auth', handle: (request) => this.open(request) },
    ]
  }

  private async open({ headers, body }: LabRequest): Promise<LabReply> {
    if (!this.isKey(headers['x-api-key'])) return wrongKey
    const { signer, message, signature } = (body ?? {}) as { signer?: unknown; message?: unknown; signature?: unknown }
    if (typeof signer !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(signer) || typeof message !== 'string')
      return wrongKey
    if (!(await this.isSignedBy(signer as Hex, hashMessage(message), String(signature) as Hex))) return wrongKey
    const token = `lab.${digestHex(`${this.seed}/predictfun/token/${this.issued++}`)}`
    this.tokens.set(token, { wallet: getAddress(signer), untilMs: this.nowMs() + tokenMs })
    return ok({ success: true, data: { token } })
  }

  private unwrapped(signature: Hex): Hex | null {
    const prefix = `0x01${validator.slice(2)}`
    return signature.toLowerCase().startsWith(prefix) ? `0x${signature.slice(prefix.length)}` : null
  }
}

function kernelDigest(account: Hex, hash: Hex): Hex {
  const domain = hashDomain({
    domain: { name: 'Kernel', version: '0.3.1', chainId: BigInt(chainId), verifyingContract: account },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    },
  })
  const abiTypes = [{ type: 'bytes32' }, { type: 'bytes32' }] as const
  const inner = keccak256(encodeAbiParameters(abiTypes, [keccak256(toHex('Kernel(bytes32 hash)')), hash]))
  return keccak256(concat(['0x1901', domain, inner]))
}
