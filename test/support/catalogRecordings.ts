// Recorded payloads that a venue's catalog parser reads: the rows in them, found by their form, and responses in which the venue lists one
// such row.
// Includes the project's own recordings, and those next to it if they exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { HttpRequest } from '#net/http'

export type Row = Readonly<Record<string, unknown>>

export interface RecordedVenue {
  slug: string
  /** Names of the files that may contain its rows. */
  files: RegExp
  /** Folders besides its own. */
  folders?: readonly string[]
  /** The row as the catalog lists it; null for any other object. */
  listed(row: Row): Row | null
  /** The response to one request of a catalog walk with this one row. */
  answer(row: Row, request: HttpRequest): unknown
  credentials?: Readonly<Record<string, string>>
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const pathOf = ({ url }: HttpRequest): string => new URL(url).pathname
const isFirst = ({ query }: HttpRequest): boolean =>
  [query?.page, query?.offset].every((at) => at === undefined || Number(at) <= 1)

const kalshi: RecordedVenue = {
  slug: 'kalshi',
  files: /event|market/,
  listed(row) {
    if (isText(row.event_ticker) && isText(row.title) && isList(row.markets)) return row
    if (isText(row.ticker) && isText(row.event_ticker) && isText(row.title) && !('markets' in row))
      return { event_ticker: row.event_ticker, title: row.title, markets: [row] }
    return null
  },
  answer(row, request) {
    if (pathOf(request).endsWith('/series')) return { series: [] }
    return { events: request.query?.status === 'unopened' ? [row] : [], cursor: '' }
  },
}

const polymarket: RecordedVenue = {
  slug: 'polymarket',
  files: /gamma|market|event|search|polymarket_(raw|latest)/,
  folders: ['cross_venue/matching/iran_topic'],
  listed(row) {
    if ((isText(row.id) || typeof row.id === 'number') && isText(row.title) && isList(row.markets)) return row
    if (isText(row.id) && isText(row.question) && 'clobTokenIds' in row && 'outcomes' in row)
      return { id: '1', title: 'Event', markets: [row] }
    return null
  },
  answer: (row) => ({ events: [row], next_cursor: null }),
}

const limitless: RecordedVenue = {
  slug: 'limitless',
  files: /market|pool/,
  listed: (row) =>
    isText(row.slug) && isText(row.title) && ('tokens' in row || 'address' in row || 'conditionId' in row) ? row : null,
  answer: (row, request) => ({ data: isFirst(request) ? [row] : [], totalMarketsCount: 1 }),
}

const opinion: RecordedVenue = {
  slug: 'opinion',
  files: /market|categorical/,
  listed: (row) => (typeof row.marketId === 'number' && isText(row.marketTitle) ? row : null),
  answer: (row, request) => ({ errno: 0, errmsg: '', result: { list: isFirst(request) ? [row] : [], total: 1 } }),
}

const predictfun: RecordedVenue = {
  slug: 'predictfun',
  files: /category/,
  listed: (row) => (isText(row.slug) && isText(row.title) && isList(row.markets) ? row : null),
  answer: (row) => ({ success: true, data: [row], cursor: null }),
  credentials: { API_KEY: 'a' },
}

const hyperliquid: RecordedVenue = {
  slug: 'hyperliquid',
  files: /outcome/,
  listed: (row) => (isList(row.outcomes) && 'questions' in row ? row : null),
  answer(row, { body }) {
    const { type } = body as { type: string }
    if (type === 'outcomeMeta') return row
    if (type === 'spotMetaAndAssetCtxs') return [{}, []]
    return type === 'outcomeTemplates' ? [] : null
  },
}

const novig: RecordedVenue = {
  slug: 'novig',
  files: /raw/,
  // The recorded query requested no market ids.
  listed: (row) =>
    isText(row.id) && isText(row.description) && isList(row.markets)
      ? {
          ...row,
          markets: row.markets.map((market, n) => ({ id: `${n}`.padStart(8, '0') + uuidEnd, ...(market as Row) })),
        }
      : null,
  answer: (row, request) => (pathOf(request).includes('graphql') ? { data: { event: [row] } } : undefined),
}
const uuidEnd = '-0002-4000-a000-000000000000'

const gemini: RecordedVenue = {
  slug: 'gemini',
  files: /event|spec/,
  listed: (row) => (isText(row.ticker) && isText(row.title) && isList(row.contracts) ? row : null),
  answer: (row, request) =>
    pathOf(request).endsWith('/events') && isFirst(request)
      ? { data: [row], pagination: { limit: 50, offset: 0, total: 1 } }
      : { data: [], pagination: { limit: 50, offset: 0, total: 1 } },
}

export const recordedVenues: readonly RecordedVenue[] = [
  kalshi,
  polymarket,
  limitless,
  opinion,
  predictfun,
  hyperliquid,
  novig,
  gemini,
]

export interface Recording {
  file: string
  rows: readonly Row[]
}

/** Every recording of the venue that has a row of its catalog. `hasShared`: those next to the project exist. */
export function recordingsOf(venue: RecordedVenue): { recordings: Recording[]; hasShared: boolean } {
  const shared = folderAt('../../../shared/')
  const folders = [
    folderAt(`../src/venues/${venue.slug}/fixtures/`),
    ...(existsSync(shared) ? [venue.slug, ...(venue.folders ?? [])].map((name) => `${shared}fixtures/${name}/`) : []),
    `${shared}facts/venue-changes-2026-11/${venue.slug}/`,
  ]
  const recordings: Recording[] = []
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.json(\.gz)?$/.test(name) || !venue.files.test(name)) continue
      const rows = rowsIn(read(folder + name), venue)
      if (rows.length > 0) recordings.push({ file: name, rows })
    }
  }
  return { recordings, hasShared: existsSync(shared) }
}

const folderAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function read(file: string): unknown {
  const bytes = readFileSync(file)
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
}

/** The outermost objects that are rows of the catalog. */
function rowsIn(value: unknown, { listed }: RecordedVenue): Row[] {
  const rows: Row[] = []
  const visit = (one: unknown): void => {
    if (Array.isArray(one)) for (const item of one) visit(item)
    else if (typeof one === 'object' && one !== null) {
      const row = listed(one as Row)
      if (row !== null) rows.push(row)
      else for (const member of Object.values(one)) visit(member)
    }
  }
  visit(value)
  return rows
}
