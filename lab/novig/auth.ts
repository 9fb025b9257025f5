// Novig's authentication: client credentials, and the tokens issued for them, valid for half an hour.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { digestHex, stableUuid } from '../prng.ts'
import { type LabReply, ok } from '../venueServer.ts'

const tokenLifeMs = 30 * 60_000

export interface NovigClient {
  clientId: string
  clientSecret: string
}

const TokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string(),
  client_secret: z.string(),
})

/** In OAuth 2.0 format. */
const refused = (status: number, error: string, error_description: string): LabReply => ({
  status,
  body: { error, error_description },
})

export class NovigAuth {
  /** Secrets by client. */
  private readonly clients = new Map<string, string>()
  /** Expiry and owner of each token. */
  private readonly tokens = new Map<string, { clientId: string; untilMs: number }>()
  private readonly seed: string
  private readonly nowMs: () => number
  private issued = 0

  constructor(seed: string, nowMs: () => number) {
    this.seed = seed
    this.nowMs = nowMs
  }

  issue(): NovigClient {
    const name = `${this.seed}/novig/client/${this.clients.size}`
    const client = { clientId: stableUuid(name), clientSecret: digestHex(`${name}/secret`).slice(0, 40) }
    this.clients.set(client.clientId, client.clientSecret)
    return client
  }

  token(body: unknown): LabReply {
    const request = TokenRequest.safeParse(body)
    if (!request.success) return refused(400, 'invalid_request', 'grant_type, client_id and client_secret')
    const { client_id: clientId, client_secret: secret } = request.data
    if (this.clients.get(clientId) !== secret) return refused(401, 'invalid_client', 'no such client')
    const head = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')
    const token = `${head}.${digestHex(`${this.seed}/novig/token/${this.issued++}`)}`
    this.tokens.set(token, { clientId, untilMs: this.nowMs() + tokenLifeMs })
    return ok({ access_token: token, expires_in: tokenLifeMs / 1_000, token_type: 'Bearer' })
  }

  /** The client of a request; null without a valid token. */
  admit({ authorization }: IncomingHttpHeaders): string | null {
    const token = this.tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
    return token === undefined || this.nowMs() >= token.untilMs ? null : token.clientId
  }
}
