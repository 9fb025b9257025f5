// Labelled pairs of markets, read from every layout in shared/fixtures/cross_venue; the layout is recognized by its fields.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MatchInput } from '#matching/read/input'
import type { MatchRelation } from '#schemas/matches'

export interface LabelledPair {
  a: MatchInput
  b: MatchInput
  match: boolean
  /** Null when the label does not say. */
  polarity: 'same' | 'inverse' | null
  /** Pairs of one group are one labelled event: it counts as found when most of its pairs are. */
  group: string | null
  /** Of Yes of `a` to Yes of `b`; null when the label does not say. */
  relation: MatchRelation | null
  /** Pairs of one family are worded by one template. */
  family: string | null
}

/** In the labelled file k and p are the two sides. */
const relations: Readonly<Record<string, MatchRelation>> = {
  same: 'identity',
  inverse: 'complement',
  k_implies_p: 'subset',
  p_implies_k: 'superset',
  exclusive: 'disjoint',
  other: 'overlap',
}

type Row = Record<string, unknown>

/** Two halves of any set by the ids of its pairs: rules are developed on `development` and only measured on `heldOut`. */
export const half = (pair: LabelledPair): 'development' | 'heldOut' =>
  Number.parseInt(createHash('sha256').update(`${pair.a.marketId}|${pair.b.marketId}`).digest('hex').slice(0, 8), 16) %
    2 ===
  0
    ? 'development'
    : 'heldOut'

export function readPairs(path: string): LabelledPair[] {
  const bytes = readFileSync(path)
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  return parsePairs(text, path)
}

/** Rows of any known layout; a row of an unknown one is an error, not a silent zero. */
export function parsePairs(text: string, name: string): LabelledPair[] {
  const rows = rowsOf(text)
  const first = rows[0]
  if (first === undefined) return []
  if ('POLYMARKET_KALSHI_MAPPING' in first) return rows.flatMap(idPairs)
  if (typeof first.a === 'object') return rows.map(auditedPair)
  if ('side_a' in first) return rows.flatMap(equivalencePairs)
  if ('match_type' in first) return rows.map((row, at) => titlePair(row, at, row.match_type === 'SAME_EVENT'))
  if ('llmConfidenceScore' in first) {
    return rows.flatMap((row, at) => {
      const score = Number(row.llmConfidenceScore)
      // A model's medium confidence is not a label.
      if (row.llmConfidenceScore === '' || (score > 20 && score < 90)) return []
      return [
        titlePair(
          { polymarket_title: String(row.polymarketTitle).split(': This ')[0], kalshi_title: row.kalshiTitle },
          at,
          score >= 90,
        ),
      ]
    })
  }
  if ('kalshi_title' in first || 'polymarket_title' in first) return rows.map((row, at) => corpusPair(row, at))
  throw new Error(`${name}: no layout of labelled pairs is known with the fields ${Object.keys(first).join(', ')}`)
}

function rowsOf(text: string): Row[] {
  const start = text.trimStart()[0]
  if (start === '[') return JSON.parse(text) as Row[]
  if (start === '{') {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const whole = lines.length > 1 && !(lines[0] as string).trimEnd().endsWith('}')
    return whole ? [JSON.parse(text) as Row] : lines.map((line) => JSON.parse(line) as Row)
  }
  return csvRows(text)
}

export function csvRows(text: string): Row[] {
  const [head, ...lines] = text.split(/\r?\n/).filter((line) => line !== '')
  const names = csvCells(head ?? '')
  return lines.map((line) => {
    const cells = csvCells(line)
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

const csvCells = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
    match[1] !== undefined ? match[1].replaceAll('""', '"') : (match[2] as string),
  )

const firstText = (row: Row, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = row[name]
    if (value !== undefined && value !== null && value !== '') return String(value)
  }
  return undefined
}

/** One side of a corpus row; every field but the title may be missing. */
function side(row: Row, venue: string, at: number): MatchInput {
  const field = (name: string): string | undefined => firstText(row, `${venue}_${name}`)
  const outcomes = row[`${venue}_outcomes`]
  const strike = (name: string): number | undefined => {
    const value = Number(row[`${venue}_${name}`] ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  return {
    venue,
    marketId: firstText(row, `${venue}_id`, `${venue}_ticker`, `${venue}_slug`) ?? `row-${at}`,
    title: firstText(row, `${venue}_title`, `${venue}_question`) ?? '',
    subtitle: field('subtitle'),
    eventTitle: field('event_title'),
    rules: firstText(row, `${venue}_rules`, `${venue}_description`),
    closeTime: firstText(row, `${venue}_close_time`, `close_time_${venue}`, `${venue}_end_date`),
    outcomes: Array.isArray(outcomes) ? outcomes.map(String) : undefined,
    floorStrike: strike('floor_strike'),
    capStrike: strike('cap_strike'),
    strikeType: field('strike_type') as MatchInput['strikeType'],
  }
}

function corpusPair(row: Row, at: number): LabelledPair {
  const label = firstText(row, 'label')
  // A list of pairs without labels is a list of true ones.
  const match = label === undefined ? true : /^(?:true|1|yes|match|same|equivalent)/i.test(label)
  const polarity = firstText(row, 'polarity')
  return {
    a: side(row, 'kalshi', at),
    b: side(row, 'polymarket', at),
    match,
    polarity:
      polarity === undefined || polarity === 'unknown'
        ? null
        : /^(?:inver|opp|flip|rever)/i.test(polarity)
          ? 'inverse'
          : 'same',
    group: null,
    relation: relations[firstText(row, 'relation') ?? ''] ?? null,
    family: firstText(row, 'family') ?? null,
  }
}

/** Two markets as the matcher parsed them, from `crossbook matches labels --export`; or with a relation instead of a label. */
function auditedPair(row: Row): LabelledPair {
  const stated = 'label' in row ? null : (relations[String(row.relation)] ?? null)
  const polarity = stated === 'identity' ? 'same' : stated === 'complement' ? 'inverse' : row.polarity
  return {
    a: row.a as MatchInput,
    b: row.b as MatchInput,
    match: stated === null ? row.label === true : stated === 'identity' || stated === 'complement',
    polarity: polarity === 'same' || polarity === 'inverse' ? polarity : null,
    group: null,
    relation: stated,
    family: typeof row.family === 'string' ? row.family : null,
  }
}

const titlePair = (row: Row, at: number, match: boolean): LabelledPair => ({
  ...corpusPair({ ...row, label: String(match) }, at),
  polarity: null,
})

interface Child {
  platform_id: string
  title?: string | null
}
interface Side {
  platform: string
  platform_event_id: string
  title: string
  deadline?: string | null
  condition_date?: string | null
  child_markets: Child[]
}

/**
 * Events of two platforms with their known equal pairs of markets; markets that the record does not name are parsed by the event's title.
 */
function equivalencePairs(row: Row): LabelledPair[] {
  const [a, b] = [row.side_a as Side, row.side_b as Side]
  if (row.label === null || row.label === undefined) return []
  const anchors =
    ((row.context as Row | undefined)?.anchor_market_pairs as
      | { a_platform_id: string; b_platform_id: string }[]
      | undefined) ?? []
  const named = (of: Side, id: string): Child | undefined =>
    of.child_markets.find((child) => child.platform_id === id && child.title)
  const pairs = anchors.filter(
    (anchor) => named(a, anchor.a_platform_id) !== undefined && named(b, anchor.b_platform_id) !== undefined,
  )
  const input = (of: Side, id: string | null): MatchInput => {
    const child = id === null ? undefined : named(of, id)
    return {
      venue: of.platform,
      marketId: id ?? of.platform_event_id,
      title: child?.title ?? of.title,
      eventTitle: of.title,
      closeTime: of.deadline ?? of.condition_date ?? null,
    }
  }
  const match = row.label === 'equivalent'
  const group = String(row.pair_id)
  const whole =
    pairs.length > 0
      ? pairs.map((anchor) => [anchor.a_platform_id, anchor.b_platform_id] as const)
      : [loose(a, b, anchors)]
  return whole.map(([x, y]) => ({
    a: input(a, x),
    b: input(b, y),
    match,
    polarity: match ? 'same' : null,
    group,
    relation: null,
    family: null,
  }))
}

/** A pair with a title on one side only: the other side's event title is used instead. */
function loose(
  a: Side,
  b: Side,
  anchors: readonly { a_platform_id: string; b_platform_id: string }[],
): readonly [string | null, string | null] {
  const anchor = anchors[0]
  if (anchor === undefined || a.title.trim() === b.title.trim()) return [null, null]
  return [anchor.a_platform_id, anchor.b_platform_id]
}

/** Pairs of ids in use by a bot: Yes of one, Yes of the other. Only the ids can be parsed. */
function idPairs(row: Row): LabelledPair[] {
  const pairs: LabelledPair[] = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each)
    else if (typeof value === 'object' && value !== null) {
      const { kalshi_ticker: kalshi, polymarket_ticker: polymarket } = value as Row
      if (typeof kalshi === 'string' && typeof polymarket === 'string') {
        pairs.push({
          a: { venue: 'kalshi', marketId: kalshi, title: '' },
          b: { venue: 'polymarket_us', marketId: polymarket, title: '' },
          match: true,
          polarity: 'same',
          group: null,
          relation: null,
          family: null,
        })
      } else for (const each of Object.values(value)) walk(each)
    }
  }
  walk(row)
  return pairs
}
