// Writes one batch of a venue's catalog in one transaction: all or nothing, newest `asOf` wins row by row, equal rows stay untouched.
//
//   the venue's next version, volumes that no venue reports, then per kind:
//   take marks (locks, order) → drop what a newer writer wrote → drop what is equal → keep past ranks → write → words, ranks, outcomes
import type { Event, Market, Series } from '#schemas/market'
import { findDigests, findWordDigests } from '#storage/postgres/catalog/findDigests'
import { upsertMarks } from '#storage/postgres/catalog/lockVersions'
import { replaceOutcomes } from '#storage/postgres/catalog/replaceOutcomes'
import { upsertEvents } from '#storage/postgres/catalog/upsertEvents'
import { copyRanks, upsertWords } from '#storage/postgres/catalog/upsertLexemes'
import { upsertMarkets } from '#storage/postgres/catalog/upsertMarkets'
import { upsertSeries } from '#storage/postgres/catalog/upsertSeries'
import { archiveRanks, nextVersion } from '#storage/postgres/catalog/versions'
import type { Queryable } from '#storage/postgres/pool'
import { type DailyVolumesAt, withDailyVolumes } from './dailyVolumes.ts'
import { digestOf, eventRecord, marketRecord, seriesRecord, storableJson, stripNul } from './records.ts'
import { storedWordsOf, wordsVersion } from './tokenizer.ts'

/** Minimum time a walk can take, however much is written meanwhile. */
export const walksKeptDefaultMs = 900_000

/** Rows per statement: some megabytes of JSON at most. */
const chunkRows = 500

interface Writable {
  id: string
  digest: string
}

export interface WriteOptions {
  walksKeptMs?: number
  /** For venues without daily volumes: our own. Called once no other writer works on the venue. */
  dailyVolumes?: DailyVolumesAt | undefined
}

export async function writeEvents(
  db: Queryable,
  venue: string,
  reported: readonly Event[],
  series: readonly Series[],
  asOf: number,
  { walksKeptMs = walksKeptDefaultMs, dailyVolumes }: WriteOptions = {},
): Promise<{ events: number; markets: number; outcomes: number }> {
  const version = await nextVersion(db, venue, walksKeptMs)
  const events = dailyVolumes === undefined ? reported : await withDailyVolumes(db, reported, dailyVolumes)
  const place = { venue, version }
  // Every writer takes the kinds in this order and ids in byte order, so writers queue up and cannot deadlock.
  const eventRecords = byId(events.map(eventRecord))
  const freshEvents = await writeKind(db, 'events', venue, eventRecords, asOf, (changed) =>
    rewriteEvents(db, place, changed),
  )
  const marketRecords = byId(events.flatMap((event) => event.markets.map(marketRecord)))
  const freshMarkets = await writeKind(db, 'markets', venue, marketRecords, asOf, (changed) =>
    rewriteMarkets(db, place, changed),
  )
  await writeKind(db, 'series', venue, byId(series.map(seriesRecord)), asOf, (changed) =>
    upsertSeries(db, venue, storableJson(changed)),
  )
  const outcomes = freshMarkets.reduce((sum, { doc }) => sum + (doc as Market).outcomes.length, 0)
  return { events: freshEvents.length, markets: freshMarkets.length, outcomes }
}

/** Position of a write: its venue, and its number there. */
export interface WritePlace {
  venue: string
  version: number
}

/** The caller holds the venue's number, and the marks of what was reported again. */
export async function rewriteEvents(
  db: Queryable,
  { venue, version }: WritePlace,
  changed: readonly ReturnType<typeof eventRecord>[],
): Promise<void> {
  await archiveRanks(db, 'events', venue, version, changed)
  await upsertEvents(db, venue, storableJson(changed.map(withTitleWords)))
  const texts = changed.map(({ id, doc }) => ({ id, ...(doc as Pick<Event, 'title' | 'description'>) }))
  await writeWords(db, 'events', venue, texts)
  await copyRanks(
    db,
    'events',
    venue,
    changed.map(({ id }) => id),
  )
}

/** Like `rewriteEvents`. */
export async function rewriteMarkets(
  db: Queryable,
  { venue, version }: WritePlace,
  changed: readonly ReturnType<typeof marketRecord>[],
): Promise<void> {
  await archiveRanks(db, 'markets', venue, version, changed)
  await upsertMarkets(db, venue, storableJson(changed.map(withTitleWords)))
  const markets = changed.map(({ doc }) => doc as Market)
  await writeWords(
    db,
    'markets',
    venue,
    markets.map(({ marketId, title, description }) => ({ id: stripNul(marketId), title, description })),
  )
  await copyRanks(
    db,
    'markets',
    venue,
    changed.map(({ id }) => id),
  )
  await replaceOutcomes(
    db,
    venue,
    changed.map(({ id }) => id),
    markets.flatMap(({ marketId, outcomes }) =>
      outcomes.map(({ outcomeId }) => ({ marketId: stripNul(marketId), outcomeId: stripNul(outcomeId) })),
    ),
  )
}

const withTitleWords = <R extends { doc: unknown }>(record: R): R & { title_words: string[] } => ({
  ...record,
  title_words: storedWordsOf((record.doc as { title: string }).title),
})

/** Returns the records that no newer writer had written, whether or not they had to be rewritten. */
async function writeKind<R extends Writable>(
  db: Queryable,
  kind: 'events' | 'markets' | 'series',
  venue: string,
  records: readonly R[],
  asOf: number,
  write: (changed: R[]) => Promise<void>,
): Promise<R[]> {
  const fresh: R[] = []
  for (let start = 0; start < records.length; start += chunkRows) {
    const chunk = records.slice(start, start + chunkRows)
    const ids = chunk.map(({ id }) => id)
    const taken = await upsertMarks(db, kind, venue, ids, asOf)
    const stored = await findDigests(db, kind, venue, ids)
    const mine = chunk.filter(({ id }) => taken.has(id))
    const changed = mine.filter(({ id, digest }) => stored.get(id) !== digest)
    if (changed.length > 0) await write(changed)
    fresh.push(...mine)
  }
  return fresh
}

async function writeWords(
  db: Queryable,
  kind: 'events' | 'markets',
  venue: string,
  texts: readonly { id: string; title: string; description: string }[],
): Promise<void> {
  const stored = await findWordDigests(
    db,
    kind,
    venue,
    texts.map(({ id }) => id),
  )
  const changed = texts.flatMap(({ id, title, description }) => {
    const digest = digestOf(wordsVersion, title, description)
    return stored.get(id) === digest
      ? []
      : [{ id, digest, title: storedWordsOf(title), description: storedWordsOf(description) }]
  })
  await upsertWords(db, kind, venue, changed)
}

/** One record per id, the last one given, in byte order. */
function byId<R extends Writable>(records: readonly R[]): R[] {
  const last = new Map(records.map((record) => [stripNul(record.id), { ...record, id: stripNul(record.id) }]))
  const bytes = (id: string) => Buffer.from(id)
  return [...last.values()].sort((a, b) => Buffer.compare(bytes(a.id), bytes(b.id)))
}
