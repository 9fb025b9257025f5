// `crossbook arb`: the arbitrage surface as a table, refreshed in place on a terminal, otherwise one line per changed row.
import type { ArbitrageRow } from '#schemas/arbitrage'
import { askGateway, streamDiagnosis } from './gateway.ts'
import { type ClientSettings, connectionOf, type GatewayOptions, type JsonOption } from './options.ts'
import { clearScreen, drawScreen, onBrokenPipe, print, printJson, whenInterrupted } from './output.ts'
import { structures } from './structures.ts'

export interface ArbOptions extends GatewayOptions, JsonOption {
  watch?: boolean
  once?: boolean
  executable?: boolean
  structures?: boolean
  venues?: string
  minEdge?: string
  limit?: string
}

interface Filter {
  executableOnly?: boolean
  venues?: string[]
  minEdge?: number
}

interface Frame {
  type: string
  code?: string
  message?: string
  data?: {
    kind: 'snapshot' | 'delta'
    seq: number
    computedAt: string
    part: { i: number; n: number }
    rows?: ArbitrageRow[]
    upserts?: ArbitrageRow[]
    removes?: string[]
  }
}

const limitDefault = 30
/** Minimum redraw interval on a terminal. */
const drawEveryMs = 100

export async function arb(options: ArbOptions, settings: ClientSettings): Promise<void> {
  const { url, apiKey } = connectionOf(options, settings)
  const limit = options.limit === undefined ? limitDefault : Number(options.limit)
  if (!(Number.isInteger(limit) && limit > 0)) throw new Error('--limit takes a positive whole number')
  const filter = filterOf(options)
  if (options.structures === true) {
    if (options.watch === true) throw new Error('--structures prints once; follow changes on the stream')
    await structures(url, apiKey, { ...filter, limit }, options.json === true)
    return
  }
  if (options.watch === true && options.once !== true) await follow(url, apiKey, filter, limit, options.json === true)
  else await once(url, apiKey, filter, limit, options.json === true)
}

function filterOf({ executable, venues, minEdge }: ArbOptions): Filter {
  const floor = minEdge === undefined ? undefined : Number(minEdge)
  if (floor !== undefined && !Number.isFinite(floor)) throw new Error('--min-edge takes a number of dollars')
  return {
    ...(executable === true ? { executableOnly: true } : {}),
    ...(venues === undefined ? {} : { venues: venues.split(',').map((venue) => venue.trim()) }),
    ...(floor === undefined ? {} : { minEdge: floor }),
  }
}

async function once(url: string, apiKey: string, filter: Filter, limit: number, json: boolean): Promise<void> {
  const path = '/api/router/fetchArbitrage'
  const body = { ...filter, limit, compat: false }
  const { data, asOf } = await askGateway<ArbitrageRow[]>({ url, apiKey, path, body })
  if (json) printJson(...data.map((row) => JSON.stringify(row)))
  else print(...table(data, limit, asOf))
}

function follow(url: string, apiKey: string, filter: Filter, limit: number, json: boolean): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/stream`)
    const rows = new Map<string, ArbitrageRow>()
    const inPlace = process.stdout.isTTY === true && !json
    let computedAt: string | null = null
    let drawing: NodeJS.Timeout | null = null
    let failure: Error | null = null
    let wasOpen = false

    const draw = (): void => {
      drawing = null
      const fits = Math.max(1, Math.min(limit, (process.stdout.rows ?? 40) - 3))
      drawScreen(table([...rows.values()], fits, computedAt))
    }
    const change = (row: ArbitrageRow): void => {
      rows.set(row.clusterId, row)
      if (json) printJson(JSON.stringify(row))
      else if (!inPlace) print(lineOf(row))
    }
    const take = ({ kind, part, ...data }: NonNullable<Frame['data']>): void => {
      if (kind === 'snapshot' && part.i === 1) rows.clear()
      computedAt = data.computedAt
      for (const row of data.rows ?? data.upserts ?? []) change(row)
      for (const key of data.removes ?? []) {
        if (rows.delete(key) && !inPlace && !json) print(`gone  ${key}`)
      }
      if (inPlace) drawing ??= setTimeout(draw, drawEveryMs)
    }
    socket.addEventListener('open', () => {
      wasOpen = true
      socket.send(JSON.stringify({ op: 'auth', apiKey }))
      socket.send(JSON.stringify({ op: 'subscribeArbitrage', intervalMs: 0, ...filter }))
      if (inPlace) clearScreen()
    })
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame
      if (frame.type === 'arbitrage' && frame.data !== undefined) take(frame.data)
      else if (frame.type === 'error') {
        failure = new Error(`${frame.code}: ${frame.message}`)
        socket.close()
      }
    })
    socket.addEventListener('error', () => void streamDiagnosis(url).then(reject))
    socket.addEventListener('close', ({ code, reason }) => {
      if (drawing !== null) clearTimeout(drawing)
      if (failure !== null) reject(failure)
      else if (code === 1000 || code === 1005) resolve()
      // A failed attempt is reported by its error.
      else if (code !== 1006 || wasOpen) reject(new Error(`the stream closed with ${code} ${reason}`))
    })
    for (const end of [whenInterrupted, onBrokenPipe]) end(() => socket.close())
  })
}

const heads = ['', 'EDGE $', 'ROI %', 'COST $', 'BUY YES', 'AT', 'BUY NO', 'AT', 'MATCH', 'QUESTION', 'WHY NOT']
const rightAligned = new Set([1, 2, 3, 5, 7])
const questionMax = 44
const reasonMax = 48

/** The rows best first, under their headings; the last line has their count. */
export function table(rows: readonly ArbitrageRow[], limit: number, computedAt: string | null): string[] {
  const shown = [...rows].sort(bestFirst).slice(0, limit)
  const cells = [heads, ...shown.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (rightAligned.has(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
  const executable = rows.filter(({ label }) => label === 'arbitrage').length
  const at = computedAt === null ? '' : `, computed ${computedAt.slice(11, 23)}`
  return [...lines, `${rows.length} rows, ${executable} arbitrage${at}`]
}

function bestFirst(a: ArbitrageRow, b: ArbitrageRow): number {
  if (a.executable !== b.executable) return a.executable ? -1 : 1
  const [x, y] = [a.netEdge ?? Number.NEGATIVE_INFINITY, b.netEdge ?? Number.NEGATIVE_INFINITY]
  return x === y ? (a.clusterId < b.clusterId ? -1 : 1) : y - x
}

function cellsOf({ legs, ...row }: ArbitrageRow): string[] {
  const { buyYes, buyNo } = legs
  const leg = ({ venue, side }: typeof buyYes): string => `${venue} ${side}`
  return [
    row.label === 'arbitrage' ? '*' : row.executable ? '+' : ' ',
    fixed(row.netEdge, 2),
    fixed(row.roi === null ? null : row.roi * 100, 2),
    fixed(row.totalCost, 2),
    leg(buyYes),
    fixed(buyYes.vwap, 4),
    leg(buyNo),
    fixed(buyNo.vwap, 4),
    `${row.matchBand}${row.matchScore === null ? '' : ` ${row.matchScore}`}`,
    cut(row.question, questionMax),
    cut(row.reasons.join(' '), reasonMax),
  ]
}

const fixed = (value: number | null, digits: number): string => (value === null ? '—' : value.toFixed(digits))
const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

/** One changed row, for output without a terminal. */
export function lineOf(row: ArbitrageRow): string {
  const [mark, edge, roi, cost, yes, yesAt, no, noAt, match, question, why] = cellsOf(row)
  const time = row.asOf?.slice(11, 23) ?? '            '
  return `${time}  ${mark} edge ${edge} (${roi} %) cost ${cost}  ${yes} @ ${yesAt} + ${no} @ ${noAt}  ${match}  ${question}${why === '' ? '' : `  [${why}]`}`
}
