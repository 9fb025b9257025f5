// The fields of each venue's answers as they are known: those that the lab's venues send, which are written from recordings and documentation. Made by
// `npm run probe:fields`; edit nothing in `fields/`.
import { existsSync, readFileSync } from 'node:fs'
import type { Fields } from './fields.ts'

/** Compact form of a file: `types`, or `types?` for a field that some objects lack. */
type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>

const fileOf = (venue: string): URL => new URL(`./fields/${venue}.json`, import.meta.url)

/** By source. Empty for a venue without a file. */
export function readKnownFields(venue: string): Record<string, Fields> {
  const file = fileOf(venue)
  if (!existsSync(file)) return {}
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored
  return Object.fromEntries(
    Object.entries(stored).map(([source, fields]) => [
      source,
      Object.fromEntries(
        Object.entries(fields).map(([path, text]) => [
          path,
          { types: text.replace('?', ''), isAlways: !text.endsWith('?') },
        ]),
      ),
    ]),
  )
}

export const storedFields = (fields: Readonly<Record<string, Fields>>): Stored =>
  Object.fromEntries(
    Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([source, each]) => [
        source,
        Object.fromEntries(
          Object.entries(each)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([path, { types, isAlways }]) => [path, isAlways ? types : `${types}?`]),
        ),
      ]),
  )
