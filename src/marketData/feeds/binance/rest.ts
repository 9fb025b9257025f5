// Daily windows over REST: for what the stream does not provide. A ban is obeyed for the time that Binance states.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { HttpClient, HttpResponse } from '#net/http'
import { badSymbol, RestError, RestTicker } from './wire.ts'

/** This many symbols cost as much as one. */
const perRequest = 20
const weight = 2
const timeoutMs = 4_000
/** When a ban states no time: the shortest there is. */
const banSeconds = 120
/** The longest there is. */
const banSecondsMax = 3 * 86_400

export interface BinanceRest {
  /** By Binance's ids, in order; null for an id that Binance does not list. Throws FEED_UPSTREAM. */
  fetchWindows(ids: readonly string[], signal: AbortSignal): Promise<(RestTicker | null)[]>
}

export function createBinanceRest({ http, url, clock }: { http: HttpClient; url: string; clock: Clock }): BinanceRest {
  /** On the monotonic clock. */
  let bannedUntil = Number.NEGATIVE_INFINITY

  async function fetchPart(ids: readonly string[], signal: AbortSignal): Promise<(RestTicker | null)[]> {
    const banMs = bannedUntil - clock.monotonic()
    if (banMs > 0) throw unavailable({ detail: 'banned', retryAfterSeconds: Math.ceil(banMs / 1_000) })
    const response = await http
      .request({
        url: `${url}/api/v3/ticker/24hr`,
        query: ids.length === 1 ? { symbol: ids[0] } : { symbols: JSON.stringify(ids) },
        timeoutMs,
        weight,
        signal,
      })
      .catch((cause: unknown) => {
        if (!(cause instanceof Fault)) throw cause
        const { detail, retryAfterSeconds } = cause
        throw unavailable({ cause, detail, retryAfterSeconds })
      })
    if (response.status >= 400) {
      const reported = RestError.safeParse(response.body).data
      if (reported?.code !== badSymbol) throw refused(response, reported?.code)
      // An unlisted one does not affect the others.
      const single: (RestTicker | null)[] = []
      if (ids.length > 1) for (const id of ids) single.push(...(await fetchPart([id], signal)))
      return ids.length > 1 ? single : [null]
    }
    const rows = RestTicker.array().safeParse(ids.length === 1 ? [response.body] : response.body)
    const byId = new Map((rows.data ?? []).map((row) => [row.symbol, row]))
    return ids.map((id) => {
      const row = byId.get(id)
      if (row === undefined)
        throw unavailable({ detail: `no window of ${id}: ${rows.error?.issues[0]?.message ?? 'left out'}` })
      return row
    })
  }

  function refused({ status, headers }: HttpResponse, code: number | undefined): Fault {
    const detail = `HTTP ${status} ${code ?? ''}`.trimEnd()
    // 418: banned; 403: blocked by the firewall.
    if (status !== 418 && status !== 403) return unavailable({ detail })
    const named = Number(headers['retry-after'])
    const retryAfterSeconds = Math.min(banSecondsMax, named > 0 ? Math.ceil(named) : banSeconds)
    bannedUntil = clock.monotonic() + retryAfterSeconds * 1_000
    return unavailable({ detail, retryAfterSeconds })
  }

  return {
    async fetchWindows(ids, signal) {
      const windows: (RestTicker | null)[] = []
      for (let at = 0; at < ids.length; at += perRequest)
        windows.push(...(await fetchPart(ids.slice(at, at + perRequest), signal)))
      return windows
    },
  }
}

const unavailable = (options: { detail?: string; cause?: unknown; retryAfterSeconds?: number }): Fault =>
  new Fault('FEED_UPSTREAM', 'binance could not be read', options)
