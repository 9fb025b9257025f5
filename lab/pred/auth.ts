// Pred's authentication: sessions for wallets that sign a login, and the check of every private call. From first principles: EIP-712 by
// viem.
import type { IncomingHttpHeaders } from 'node:http'
import { getAddress, type Hex, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'
import { digestHex, stableUuid } from '../prng.ts'
import { type LabReply, type LabRequest, ok } from '../venueServer.ts'

export const chainId = 8453
const chainType = 'base'
const loginContract = '0xA077e7aaBF2e3c0155F83789e95f46602D03F7f0'
const zeroAddress: Hex = `0x${'0'.repeat(40)}`

export interface Session {
  accessToken: string
  /** The signing account, and its Safe. Checksummed. */
  wallet: Hex
  proxy: Hex
}

export const refused = (status: number, code: string, message: string): LabReply => ({
  status,
  body: { success: false, message, error: { code, message, details: '' } },
})

const Login = z.object({
  data: z.object({
    wallet_address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
    message: z.string(),
    nonce: z.string(),
    chain_type: z.literal(chainType),
    timestamp: z.int(),
  }),
})

const proxyTypes = {
  CreateProxy: [
    { name: 'paymentToken', type: 'address' },
    { name: 'payment', type: 'uint256' },
    { name: 'paymentReceiver', type: 'address' },
  ],
} as const

/** What a wallet signs to log in. The domain has no version. */
export const loginData = {
  domain: { name: 'Pred Contract Proxy Factory', chainId, verifyingContract: loginContract },
  types: proxyTypes,
  primaryType: 'CreateProxy',
  message: { paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress },
} as const

export class PredAuth {
  readonly apiKey: string
  private readonly sessions = new Map<string, Session>()
  private readonly seed: string

  constructor(seed: string) {
    this.seed = seed
    this.apiKey = `pred-${digestHex(`${seed}/pred/key`).slice(0, 24)}`
  }

  /** A different token each time; the same Safe. */
  async login({ headers, body }: LabRequest): Promise<LabReply> {
    if (headers['x-api-key'] !== this.apiKey) return refused(401, 'UNAUTHORIZED', 'Invalid X-API-Key')
    const parsed = Login.safeParse(body)
    if (!parsed.success) return refused(400, 'BAD_REQUEST', z.prettifyError(parsed.error))
    const { wallet_address, signature } = parsed.data.data
    const wallet = getAddress(wallet_address.toLowerCase())
    const signer = await recoverTypedDataAddress({ ...loginData, signature: signature as Hex }).catch(() => null)
    if (signer !== wallet) return refused(401, 'INVALID_SIGNATURE', 'The signature is not this wallet’s')
    const name = `${this.seed}/pred/${wallet}`
    const proxy = getAddress(`0x${digestHex(`${name}/safe`).slice(0, 40)}`)
    const accessToken = `lab.${digestHex(`${name}/token/${this.sessions.size}`)}`
    this.sessions.set(accessToken, { accessToken, wallet, proxy })
    const user_id = stableUuid(name)
    return ok({
      success: true,
      data: {
        access_token: accessToken,
        refresh_token: `lab.${digestHex(`${accessToken}/refresh`)}`,
        data: { user_id, is_enabled_trading: true, wallet_address: wallet, proxy_wallet_addr: proxy },
        proxy_wallet_addr: proxy,
        wallet_address: wallet,
      },
    })
  }

  /** The session, or the refusal of the call. */
  admit(headers: IncomingHttpHeaders): Session | LabReply {
    const session = this.sessions.get(String(headers.authorization ?? '').replace(/^Bearer /, ''))
    if (session === undefined) return refused(401, 'UNAUTHORIZED', 'Invalid or expired access token')
    const isOwn = (name: string, address: Hex): boolean =>
      String(headers[name] ?? '').toLowerCase() === address.toLowerCase()
    if (isOwn('x-wallet-address', session.wallet) && isOwn('x-proxy-address', session.proxy)) return session
    return refused(401, 'UNAUTHORIZED', 'The token belongs to another wallet')
  }
}
