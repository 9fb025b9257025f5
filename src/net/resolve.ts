// Resolves names to all their addresses, so that each can be checked before one is dialled.
import { promises as dns } from 'node:dns'

/**
 * `public` asks the name servers only: no hosts file, no search list. `system` resolves like any program on this machine.
 * Rejects when the name has no address or there is no answer.
 */
export type Resolve = (hostname: string, as: 'public' | 'system') => Promise<readonly string[]>

/** Per query to one server; the library doubles it at the second try. */
const timeoutMs = 1_000
const tries = 2
/** For a query to all servers. */
const answerWithinMs = 2_500

export function createResolve({ servers }: { servers?: readonly string[] } = {}): Resolve {
  // Not getaddrinfo: it blocks one of few threads for as long as a name server stays silent.
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname, as) => {
    if (as === 'system') return (await dns.lookup(hostname, { all: true })).map(({ address }) => address)
    const answers = await Promise.allSettled([inTime(resolver.resolve4(hostname)), inTime(resolver.resolve6(hostname))])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    // A partial answer will do: only what is in it is checked, and only that is dialled.
    if (addresses.length === 0) for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
    return addresses
  }
}

const inTime = <T>(question: Promise<T>): Promise<T> => {
  const late = AbortSignal.timeout(answerWithinMs)
  const end = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })), {
      once: true,
    })
  })
  // It is not read once the query is answered.
  end.catch(() => undefined)
  return Promise.race([question, end])
}
