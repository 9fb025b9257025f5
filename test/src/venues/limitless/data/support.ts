// Recorded answers, and a venue that serves them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '#venues/venueContext'

export const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../fixtures/${name}.json`, import.meta.url)), 'utf8'))

/** Answers by path, 404 for other paths. `asked` holds the requests with their query. */
export function venueOf(answers: Readonly<Record<string, (query: HttpRequest['query']) => unknown>>) {
  const requests: string[] = []
  const context: VenueContext = {
    venue: 'limitless',
    http: {
      async request({ url, query }) {
        const path = url.replace('http://venue', '')
        requests.push(`${path}${query === undefined ? '' : `?${new URLSearchParams(query as never)}`}`)
        const answer = answers[path]
        return answer === undefined
          ? { status: 404, headers: {}, body: { message: 'Not Found' } }
          : { status: 200, headers: {}, body: answer(query) }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://venue' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests }
}
