// `npm run probe:fields [venue…]`: adds the fields of the lab's venues to the recorded ones, to which `crossbook probe` compares real
// responses. A field that one run did not show stays: remove the file to drop fields that no longer exist.
import { writeFileSync } from 'node:fs'
import type { FieldCollector, FieldFacts, Fields } from '#cli/probe/fields'
import { readKnownFields, storedFields } from '#cli/probe/knownFields'
import { probeLab, type VenueName, venueNames } from './probeLab.ts'

/**
 * Optional fields are in some worlds and not in others: small ones lack kinds of markets, large ones have further pages, quiet ones few
 * trades.
 */
const worlds = [
  { seed: 'probe', markets: 40, ratePerSecond: 60 },
  { seed: 'fields a', markets: 40, ratePerSecond: 60 },
  { seed: 'fields b', markets: 6, ratePerSecond: 1 },
  { seed: 'fields c', markets: 20, ratePerSecond: 200 },
  { seed: 'fields d', markets: 100, ratePerSecond: 600 },
  { seed: 'fields e', markets: 250, ratePerSecond: 60 },
  { seed: 'fields f', markets: 20, ratePerSecond: 1 },
  { seed: 'fields g', markets: 120, ratePerSecond: 2 },
  { seed: 'fields h', markets: 1, ratePerSecond: 1 },
]

/**
 * By venue: fields that only some responses have according to the venue's documentation, though every response of these worlds may have
 * them.
 */
const optional: Partial<Record<VenueName, readonly string[]>> = {
  sxbet: ['data.nextKey'],
  // Of a market with an empty side.
  polymarket: ['', 'markets.[].', 'events.[].markets.[].'].flatMap((at) => [`${at}bestBid`, `${at}bestAsk`]),
}

/** By venue and name, at any place: the types that its documentation gives or its adapter reads, of which these worlds may show only some. */
const documented: Partial<Record<VenueName, Readonly<Record<string, string>>>> = {
  // Null until the market resolves.
  limitless: { payoutNumerators: 'az', winningOutcomeIndex: 'nz' },
  predictstreet: { payoutNumerators: 'az' },
}

const chosen = process.argv.length > 2 ? (process.argv.slice(2) as VenueName[]) : venueNames
for (const venue of chosen) {
  const merged: Record<string, Fields> = readKnownFields(venue)
  for (const [n, world] of worlds.entries()) {
    // The first world decides which sources there are; the others add fields to them.
    const isFirst = n === 0
    const { client, socket, report } = await probeLab(venue, {
      ...world,
      isThorough: !isFirst,
      socketPatienceMs: 5_000,
    })
    for (const [source, collector] of [...client.fields, ...(socket?.fields ?? [])])
      if (isFirst || merged[source] !== undefined) merged[source] = merge(merged[source], collector)
    console.info(venue, world.seed, report.verdict, report.message)
  }
  for (const fields of Object.values(merged) as Record<string, FieldFacts>[])
    for (const path of optional[venue] ?? [])
      if (fields[path] !== undefined) fields[path] = { ...fields[path], isAlways: false }
  for (const fields of Object.values(merged) as Record<string, FieldFacts>[])
    for (const [path, facts] of Object.entries(fields)) {
      const types = documented[venue]?.[path.slice(path.lastIndexOf('.') + 1)]
      if (types !== undefined) fields[path] = { ...facts, types: [...new Set(facts.types + types)].sort().join('') }
    }
  const folder = new URL('../../../src/cli/probe/fields/', import.meta.url)
  writeFileSync(new URL(`${venue}.json`, folder), `${JSON.stringify(storedFields(merged), null, 2)}\n`)
}
process.exit(0)

function merge(before: Fields | undefined, collector: FieldCollector): Fields {
  const now = collector.fields()
  if (before === undefined) return now
  const fields: Record<string, FieldFacts> = {}
  for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [one, other] = [before[path], now[path]]
    const types = [...new Set([...(one?.types ?? ''), ...(other?.types ?? '')])].sort().join('')
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    const isAlways = (one?.isAlways ?? true) && (other?.isAlways ?? !collector.hasObjectAt(parent))
    fields[path] = { types, isAlways: one === undefined ? false : isAlways }
  }
  return fields
}
