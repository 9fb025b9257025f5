// `crossbook arb --structures`: legs of several markets that cannot all lose, as a readable list.
import type { StructureCounts, StructureRow } from '#schemas/structures'
import { askGateway } from './gateway.ts'
import { print, printJson } from './output.ts'

export interface StructureQuery {
  executableOnly?: boolean
  venues?: readonly string[]
  minEdge?: number
  limit: number
}

export async function structures(url: string, apiKey: string, query: StructureQuery, json: boolean): Promise<void> {
  const parameters = new URLSearchParams({ limit: String(query.limit) })
  if (query.executableOnly === true) parameters.set('executableOnly', 'true')
  if (query.venues !== undefined) parameters.set('venues', query.venues.join(','))
  if (query.minEdge !== undefined) parameters.set('minEdge', String(query.minEdge))
  const path = `/v1/arbitrage/structures?${parameters}`
  const { data, asOf, meta } = await askGateway<StructureRow[], StructureCounts>({ url, apiKey, path })
  if (json) printJson(...data.map((row) => JSON.stringify(row)))
  else print(...listed(data, asOf, meta))
}

/** Each structure in its own paragraph; the last line has their count, and how many sets are still to be searched. */
export function listed(
  rows: readonly StructureRow[],
  computedAt: string | null,
  { sets, searched, complete }: Pick<StructureCounts, 'sets' | 'searched' | 'complete'>,
): string[] {
  const executable = rows.filter((row) => row.executable).length
  const at = computedAt === null ? '' : `, computed ${computedAt.slice(11, 23)}`
  const open = complete ? '' : `; incomplete: ${searched} of ${sets} sets searched so far`
  const count = `${rows.length} structures, ${executable} executable${at}${open}`
  return [...rows.flatMap((row) => [...paragraph(row), '']), count]
}

export function paragraph(row: StructureRow): string[] {
  const { legs, relations, weakest, reasons } = row
  const head = `${row.executable ? '*' : ' '} ${row.kind}: edge ${usd(row.edge)} (${(row.roi * 100).toFixed(2)} %) for ${usd(row.capital)}; pays at least ${usd(row.worstPayout)}`
  const steps = legs.map(
    ({ side, title, market, contracts, price, limitPrice, cost, fee }, i) =>
      `  ${i + 1}. buy ${contracts} ${side.toUpperCase()} of “${title}” (${market}) at ${dollars(price)}, limit ≤ ${dollars(limitPrice)}: cost ${usd(cost)}, fee ${usd(fee)}`,
  )
  return [
    head,
    ...steps,
    relations.length === 0
      ? '  rests on no relation: both answers of one market'
      : `  rests on ${relations.map(restsOn).join('; ')}${weakest === null || relations.length === 1 ? '' : `; the weakest is ${weakest.band}`}`,
    ...(row.executable ? [] : [`  not executable: ${reasons.join(' ')}`]),
    ...(row.proven ? [] : ['  the search was cut short: other legs of these markets may earn more']),
  ]
}

const restsOn = ({ id, kind, band, reason }: StructureRow['relations'][number]): string =>
  `${kind} ${id} (${band}${reason === null || band === 'verified' ? '' : `: ${reason}`})`

const usd = (value: number): string => `$${value.toFixed(2)}`
/** Prices unrounded, in whole cents or finer. */
const dollars = (value: number): string => {
  const text = String(Math.round(value * 1e6) / 1e6)
  return `$${text.length < 4 ? value.toFixed(2) : text}`
}
