// Limitless' authentication: profiles, API tokens and sessions, and the check of every private call from first principles (node's own
// HMAC).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { digestHex } from '../prng.ts'
import type { LabReply, LabRequest } from '../venueServer.ts'
import { refused } from './reads.ts'

/** Maximum deviation of a call's own time from the venue's. */
const skewMaxMs = 30_000
const rankFeeRateBps = 300

export interface LimitlessProfile {
  id: number
  /** Lower case. */
  account: string
  feeRateBps: number
}

export interface LimitlessToken {
  tokenId: string
  secret: string
}

const unauthorized = (message: string): LabReply => ({
  status: 401,
  body: { statusCode: 401, message, error: 'Unauthorized' },
})

export class LimitlessAuth {
  private readonly profiles = new Map<string, LimitlessProfile>()
  private readonly tokens = new Map<string, { secret: string; profile: LimitlessProfile }>()
  private readonly sessions = new Map<string, LimitlessProfile>()
  private readonly seed: string
  private readonly nowMs: () => number

  constructor(options: { seed: string; nowMs(): number }) {
    this.seed = options.seed
    this.nowMs = options.nowMs
  }

  /** A wallet's profile, created on first request. */
  profile(account: string): LimitlessProfile {
    const name = account.toLowerCase()
    const known = this.profiles.get(name)
    if (known !== undefined) return known
    const made = { id: 1_001 + this.profiles.size, account: name, feeRateBps: rankFeeRateBps }
    this.profiles.set(name, made)
    return made
  }

  issueToken(account: string): LimitlessToken {
    const name = `${this.seed}/limitless/token/${this.tokens.size}`
    const tokenId = `lmts_${digestHex(name).slice(0, 24)}`
    const secret = Buffer.from(digestHex(`${name}/secret`), 'hex').toString('base64')
    this.tokens.set(tokenId, { secret, profile: this.profile(account) })
    return { tokenId, secret }
  }

  /** The cookie's value, as a login returns it. */
  issueSession(account: string): string {
    const session = digestHex(`${this.seed}/limitless/session/${this.sessions.size}`)
    this.sessions.set(session, this.profile(account))
    return session
  }

  /** The caller, or the refusal of the call. */
  admit({ headers, method, path, query, text }: LabRequest): LimitlessProfile | LabReply {
    const session = /(?:^|; )limitless_session=([^;]+)/.exec(headers.cookie ?? '')?.[1]
    if (session !== undefined) return this.sessions.get(session) ?? unauthorized('Session is not valid')
    const [id, timestamp, signature] = ['lmts-api-key', 'lmts-timestamp', 'lmts-signature'].map((name) => headers[name])
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
      return unauthorized('Authentication is required')
    }
    const token = this.tokens.get(id)
    const requestTarget = query.size === 0 ? path : `${path}?${query.toString()}`
    const right = createHmac('sha256', Buffer.from(token?.secret ?? '', 'base64'))
      .update([timestamp, method, requestTarget, text].join('\n'))
      .digest()
    const given = Buffer.from(signature, 'base64')
    if (token === undefined || given.length !== right.length || !timingSafeEqual(given, right)) {
      return unauthorized('Invalid HMAC signature')
    }
    // `Date.parse` gives NaN for an invalid time, and NaN is never near.
    if (!(Math.abs(Date.parse(timestamp) - this.nowMs()) <= skewMaxMs)) return unauthorized('Timestamp is out of range')
    return token.profile
  }

  /** A profile is shown to its owner only. */
  show(request: LabRequest): LabReply {
    const caller = this.admit(request)
    if ('status' in caller) return caller
    if (request.params.account!.toLowerCase() !== caller.account) return refused(403, 'Not your profile')
    const { id, account, feeRateBps } = caller
    return { status: 200, body: { id, account, tradeWalletOption: 'eoa', rank: { id: 1, name: 'Bronze', feeRateBps } } }
  }
}
