// `crossbook watch`: one book and its trades, a line per frame.
import { askGateway, streamDiagnosis } from './gateway.ts'
import { type ClientSettings, connectionOf, type GatewayOptions, type JsonOption } from './options.ts'
import { onBrokenPipe, print, printJson, whenInterrupted } from './output.ts'
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
  if (marketId === undefined) progress.show(`looking for the most active market of ${venue}`)
  const market = marketId ?? (await mostActive(url, apiKey, venue).finally(progress.done))
  const limit = options.frames === undefined ? Number.POSITIVE_INFINITY : Number(options.frames)
  if (!(limit > 0)) throw new Error('--frames takes a positive number')
  await follow(url, apiKey, venue, market, limit, options.json === true)
}

async function mostActive(url: string, apiKey: string, venue: string): Promise<string> {
  const path = `/api/${encodeURIComponent(venue)}/fetchMarkets?limit=1&sort=volume`
  const { data } = await askGateway<{ outcomes: { outcomeId: string }[] }[]>({ url, apiKey, path })
  const outcome = data[0]?.outcomes[0]
  if (outcome === undefined) throw new Error(`${venue} lists no active market yet`)
  return outcome.outcomeId
}

const channels = ['orderbook', 'trades'] as const

function follow(url: string, apiKey: string, venue: string, marketId: string, limit: number, json: boolean) {
  return new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/stream`)
    const answers = new Answers()
    // A refusal is shown once something else is followed; otherwise it is the failure.
    const refusals: string[] = []
    let shown = 0
    let wasOpen = false
    const send = (op: object): void => socket.send(JSON.stringify(op))
    socket.addEventListener('open', () => {
      wasOpen = true
      send({ op: 'auth', apiKey })
      for (const channel of channels) send({ op: 'subscribe', channel, venue, marketId })
    })
    socket.addEventListener('message', ({ data }) => {
      const text = String(data)
      const frame = JSON.parse(text) as Frame
      answers.take(frame)
      const line = json ? text : describe(text)
      if (line !== null && frame.type === 'error' && !answers.isFollowing) refusals.push(line)
      else if (line !== null) (json ? printJson : print)(...refusals.splice(0), line)
      if (answers.failure !== null || (dataFrames.has(frame.type) && ++shown >= limit)) socket.close()
    })
    socket.addEventListener('error', () => void streamDiagnosis(url).then(reject))
    socket.addEventListener('close', ({ code, reason }) => {
      if (answers.failure !== null) reject(answers.failure)
      else if (code === 1000 || code === 1005 || shown >= limit) resolve()
      // A failed attempt is reported by its error.
      else if (code !== 1006 || wasOpen) reject(new Error(`the stream closed with ${code} ${reason}`))
    })
    for (const end of [whenInterrupted, onBrokenPipe]) end(() => socket.close())
  })
}

const dataFrames: ReadonlySet<string> = new Set(['snapshot', 'update', 'trade'])

/** What became of the subscriptions: with none left, there is nothing to watch. */
class Answers {
  failure: Error | null = null
  private waiting = new Set<string>(channels)
  isFollowing = false

  take({ type, channel, code, message }: Frame): void {
    if (type === 'subscribed') {
      this.isFollowing = true
      this.waiting.delete(channel ?? '')
    }
    if (type !== 'error' || this.isFollowing) return
    this.waiting.delete(channel ?? '')
    // Of no channel: the key.
    if (channel === undefined || this.waiting.size === 0) this.failure = new Error(`${code}: ${message}`)
  }
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
