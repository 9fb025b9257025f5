// Whose agent a signer is. Asking weighs 60 of the 1,200 a minute that the venue gives an address, so the answer is kept, and who brings ever
// new signers waits. A withdrawn agent may be believed until its entry is old: the venue then refuses it by itself.
import { z } from 'zod'
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { HttpClient } from '#net/http'
import type { LaneContext } from '../../lane.ts'
import { info } from './info.ts'

const minuteMs = 60_000
/** An agent stays one for long; somebody who is none may be approved at any moment. */
const agentAgeMaxMs = 10 * minuteMs
const strangerAgeMaxMs = 15_000
/** Signers remembered; the one asked for longest ago is forgotten first. */
const signersMax = 10_000
/** Questions to the venue in a minute: of one owner, and in all (a half of what the venue allows). */
const asksPerOwner = 5
const asksInAll = 10

const UserRole = z.union([
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string() }) }),
  z.object({ role: z.string() }),
])

interface Known {
  /** Lower case; null: no agent of anybody's. */
  master: Promise<string | null>
  /** On the monotonic clock; for ever until the answer is there. */
  until: number
}

class Agents {
  private readonly known = new Map<string, Known>()
  private asks: { at: number; owner: string }[] = []
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  async masterOf(context: LaneContext, signer: string, owner: string): Promise<string | null> {
    const found = this.known.get(signer)
    if (found !== undefined && this.clock.monotonic() < found.until) return found.master
    this.countAsk(owner)
    const known: Known = { master: askMaster(context, signer), until: Number.POSITIVE_INFINITY }
    this.known.delete(signer)
    this.known.set(signer, known)
    if (this.known.size > signersMax) this.known.delete(this.known.keys().next().value!)
    try {
      const master = await known.master
      known.until = this.clock.monotonic() + (master === null ? strangerAgeMaxMs : agentAgeMaxMs)
      return master
    } catch (error) {
      known.until = 0
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

/** One for each client of the venue: it is the client's budget. */
const agentsByClient = new WeakMap<HttpClient, Agents>()

/**
 * Both addresses in lower case. Throws NETWORK_ERROR when the venue cannot be asked, RATE_LIMITED when it was asked of too many signers this
 * minute.
 */
export async function isAgentOf(context: LaneContext, signer: string, owner: string): Promise<boolean> {
  const agents = agentsByClient.get(context.http) ?? new Agents(context.clock)
  agentsByClient.set(context.http, agents)
  return (await agents.masterOf(context, signer, owner)) === owner
}

/** Asked for everybody who waits for it: nobody's leaving ends it. */
async function askMaster({ http, urls }: LaneContext, signer: string): Promise<string | null> {
  const { signal } = new AbortController()
  const role = await info({ http, urls, signal }, { type: 'userRole', user: signer }, UserRole)
  return role.role === 'agent' && 'data' in role ? role.data.user.toLowerCase() : null
}
