// `crossbook watch`: one book and its trades, a line per frame.
import { type ClientSettings, connectionOf, type GatewayOptions, type JsonOption } from './options.ts'
import { showProgress } from './progress.ts'

export interface WatchOptions extends GatewayOptions, JsonOption {
  frames?: string
}

interface Level {
  price: number
  size: number
}
interface Frame {
  type: string
  channel?: string
  code?: string
  message?: string
  ts?: number
  data?: { bids?: Level[]; asks?: Level[]; type?: string; shares?: number; price?: number | null }
}

export async function watch(
  venue: string,
  marketId: string | undefined,
  options: WatchOptions,
  settings: ClientSettings,
): Promise<void> {
  const { url, apiKey } = connectionOf(options, settings)
  const progress = showProgress()
  if (marketId === undefined) progress.say(`looking for the most active market of ${venue}`)
  const market = marketId ?? (await mostActive(url, apiKey, venue).finally(progress.done))
  const limit = options.frames === undefined ? Number.POSITIVE_INFINITY : Number(options.frames)
  if (!(limit > 0)) throw new Error('--frames takes a positive number')
  await follow(url, apiKey, venue, market, limit, options.json ? (text) => text : describe)
}

async function mostActive(url: string, apiKey: string, venue: string): Promise<string> {
  const response = await fetch(`${url}/api/${encodeURIComponent(venue)}/fetchMarkets?limit=1&sort=volume`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const answer = (await response.json()) as {
    data?: { outcomes: { outcomeId: string }[] }[]
    error?: { message: string }
  }
  const outcome = answer.data?.[0]?.outcomes[0]
  if (outcome === undefined) throw new Error(answer.error?.message ?? `${venue} lists no active market yet`)
  return outcome.outcomeId
}

function follow(
  url: string,
  apiKey: string,
  venue: string,
  marketId: string,
  limit: number,
  show: (text: string) => string | null,
) {
  return new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/stream`)
    let shown = 0
    const send = (op: object): void => socket.send(JSON.stringify(op))
    socket.addEventListener('open', () => {
      send({ op: 'auth', apiKey })
      send({ op: 'subscribe', channel: 'orderbook', venue, marketId })
      send({ op: 'subscribe', channel: 'trades', venue, marketId })
    })
    socket.addEventListener('message', ({ data }) => {
      const line = show(String(data))
      if (line === null) return
      console.log(line)
      if (++shown >= limit) socket.close()
    })
    socket.addEventListener('error', () => reject(new Error(`cannot reach the stream at ${url}`)))
    socket.addEventListener('close', ({ code, reason }) => {
      if (code === 1000 || code === 1005 || shown >= limit) resolve()
      else reject(new Error(`the stream closed with ${code} ${reason}`))
    })
    process.once('SIGINT', () => socket.close())
  })
}

/** One readable line, null for frames without news. */
export function describe(text: string): string | null {
  const frame = JSON.parse(text) as Frame
  const time = new Date(frame.ts ?? Date.now()).toISOString().slice(11, 23)
  const level = (side: Level[] | undefined): string => {
    const best = side?.[0]
    return best === undefined ? '      —       ' : `${best.price.toFixed(4)} × ${String(best.size).padEnd(7)}`
  }
  switch (frame.type) {
    case 'snapshot':
    case 'update':
      return `${time}  book   bid ${level(frame.data?.bids)}  ask ${level(frame.data?.asks)}  ${frame.data?.bids?.length}+${frame.data?.asks?.length} levels`
    case 'trade':
      return `${time}  trade  ${frame.data?.type} ${frame.data?.shares} at ${frame.data?.price ?? '—'}`
    case 'subscribed':
      return `${time}  subscribed to ${frame.channel}`
    case 'error':
      return `${time}  ${frame.code}: ${frame.message}`
    default:
      return null
  }
}
