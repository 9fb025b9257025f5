// `npm run probe:fields [venue…]`: adds the fields of the lab's venues to those written down, to which `crossbook probe` compares real answers. A field
// that one run did not show stays: remove the file to drop fields that are gone.
import { writeFileSync } from 'node:fs'
import type { FieldCollector, FieldFacts, Fields } from '#cli/probe/fields'
import { readKnownFields, storedFields } from '#cli/probe/knownFields'
import { probeLab, type VenueName, venueNames } from './probeLab.ts'

/** Optional fields are in some worlds and not in others. */
const seeds = ['probe', 'fields a', 'fields b', 'fields c']

const chosen = process.argv.length > 2 ? (process.argv.slice(2) as VenueName[]) : venueNames
for (const venue of chosen) {
  const merged: Record<string, Fields> = readKnownFields(venue)
  for (const seed of seeds) {
    const { client, socket, report } = await probeLab(venue, { seed })
    for (const [source, collector] of [...client.fields, ...(socket?.fields ?? [])])
      merged[source] = merge(merged[source], collector)
    console.info(venue, seed, report.verdict, report.says)
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
