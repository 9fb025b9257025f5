// Looks up whose agent a signer is. A lookup weighs 60 of the 1,200 per minute that the venue gives an address, so answers are cached, and a
// caller with ever new signers waits. A revoked agent may be accepted until its entry expires: the venue then refuses it itself.
import { z } from 'zod'
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { HttpClient } from '#net/http'
import type { LaneContext } from '../../lane.ts'
import { info } from './info.ts'

const minuteMs = 60_000
/** An agent stays one for long; an unapproved signer may be approved at any moment. */
const agentAgeMaxMs = 10 * minuteMs
const strangerAgeMaxMs = 15_000
/** Signers remembered. */
const signersMax = 10_000
/** Lookups per minute: per owner, and in total (half of the venue's allowance). */
const asksPerOwner = 5
const asksInAll = 10

const UserRole = z.union([
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string() }) }),
  z.object({ role: z.string() }),
])

class Agents {
  /** Lower case; null: not an agent. Without expiry until the answer is there. */
  private readonly masters: Cache<Promise<string | null>>
  private asks: { at: number; owner: string }[] = []
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
    this.masters = new Cache(signersMax, { clock })
  }

  async masterOf(context: LaneContext, signer: string, owner: string): Promise<string | null> {
    const known = this.masters.get(signer)
    if (known !== undefined) return known
    this.countAsk(owner)
    const lookUp = askMaster(context, signer)
    this.masters.set(signer, lookUp)
    try {
      const master = await lookUp
      this.masters.set(signer, lookUp, master === null ? strangerAgeMaxMs : agentAgeMaxMs)
      return master
    } catch (error) {
      this.masters.delete(signer)
      throw error
    }
  }

  private countAsk(owner: string): void {
    const now = this.clock.monotonic()
    this.asks = this.asks.filter(({ at }) => now - at < minuteMs)
    const own = this.asks.filter((ask) => ask.owner === owner)
    const oldest = own.length >= asksPerOwner ? own[0] : this.asks.length >= asksInAll ? this.asks[0] : undefined
    if (oldest !== undefined) {
      throw new Fault(
        'RATE_LIMITED',
        'signature: too many signers that are not the owner; sign as the owner, or wait',
        {
          exchange: 'hyperliquid',
          retryAfterSeconds: Math.ceil((oldest.at + minuteMs - now) / 1_000),
          afterWork: true,
        },
      )
    }
    this.asks.push({ at: now, owner })
  }
}

/** One per venue client, whose budget it uses. */
const agentsByClient = new WeakMap<HttpClient, Agents>()

/**
 * Both addresses in lower case. Throws NETWORK_ERROR when the venue cannot be reached, RATE_LIMITED when too many signers were looked up
 * this minute.
 */
export async function isAgentOf(context: LaneContext, signer: string, owner: string): Promise<boolean> {
  const agents = agentsByClient.get(context.http) ?? new Agents(context.clock)
  agentsByClient.set(context.http, agents)
  return (await agents.masterOf(context, signer, owner)) === owner
}

/** Shared by all waiting callers: none of them leaving aborts it. */
async function askMaster({ http, urls }: LaneContext, signer: string): Promise<string | null> {
  const { signal } = new AbortController()
  const role = await info({ http, urls, signal }, { type: 'userRole', user: signer }, UserRole)
  return role.role === 'agent' && 'data' in role ? role.data.user.toLowerCase() : null
}
