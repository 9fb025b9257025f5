// Files of whole days: the list, and the bytes of one or a range of it.
import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { type DayFile, filesLimitDefault, filesLimitMax, ListedFile } from '#schemas/history'
import { defineRoute } from '#server/http/defineRoute'
import { historyFloorOf } from '#server/http/pipeline'
import { queryWhole } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'
import { readRange } from '../files/byteRange.ts'
import { type FileKind, fileKinds } from '../files/fileStore.ts'
import { columnWords, fileColumnsOf } from '../formats.ts'
import type { HistoryDeps } from './replayHistory.ts'

const cursorKind = 'historyFiles'
const parquet = 'application/vnd.apache.parquet'
/** Bytes per read. */
const pieceBytes = 256 * 1024

const Day = z.iso.date('must be a day, YYYY-MM-DD')
const Query = z.strictObject({
  date: Day.optional().describe('UTC'),
  venue: VenueName.optional(),
  kind: z.enum(fileKinds).optional(),
  limit: queryWhole({ min: 1, max: filesLimitMax }).default(filesLimitDefault),
  cursor: z.string().min(1).optional().describe('opaque, from nextCursor'),
})

const keyOf = ({ date, venue, kind }: Pick<DayFile, 'date' | 'venue' | 'kind'>): string => `${date}/${venue}/${kind}`

export const listHistoryFiles = defineRoute({
  operationId: 'listHistoryFiles',
  method: 'get',
  path: '/v1/history/files',
  family: 'history',
  access: { scope: 'read', feature: 'replay', credits: 1, rowsPerCredit: 100 },
  heavy: true,
  summary: 'Parquet files of whole days, one per day, venue and kind: rows, size and checksum; newest day first',
  tag: 'history',
  query: Query,
  data: z.array(ListedFile),
  topLevelFields: { meta: z.object({ nextCursor: z.string().optional() }), nextCursor: NextCursor },
  errors: ['EXCHANGE_NOT_AVAILABLE'],
  async handle({ query: { limit, cursor, ...selection }, principal }, { history, plans, clock }: HistoryDeps) {
    if (selection.venue !== undefined && !history.serves(selection.venue)) throw notServed(selection.venue)
    const floorMs = historyFloorOf(plans, principal!, clock.now())
    const bind = cursorBinding(selection)
    const after = cursor === undefined ? null : String(history.cursors.decode(cursorKind, bind, cursor))
    const fitting = (await history.files.list(selection.date)).filter(
      (file) =>
        (selection.venue === undefined || file.venue === selection.venue) &&
        (selection.kind === undefined || file.kind === selection.kind) &&
        (floorMs === null || Date.parse(file.date) >= floorMs) &&
        history.serves(file.venue) &&
        (after === null || isAfter(file, after)),
    )
    const page = fitting.slice(0, limit)
    const last = page.at(-1)
    const nextCursor =
      fitting.length > limit && last !== undefined
        ? { nextCursor: history.cursors.encode(cursorKind, bind, keyOf(last)) }
        : {}
    const data = page.map((file) => ({ ...file, url: `/v1/history/files/${keyOf(file)}` }))
    return { data, siblings: { meta: nextCursor, ...nextCursor } }
  },
})

/** In list order: days descending, venues by name, kinds as `fileKinds` has them. `after`: a key. */
function isAfter({ date, venue, kind }: DayFile, after: string): boolean {
  const [afterDay = '', afterVenue = '', afterKind] = after.split('/')
  if (date !== afterDay) return date < afterDay
  if (venue !== afterVenue) return venue > afterVenue
  return fileKinds.indexOf(kind) > fileKinds.indexOf(afterKind as FileKind)
}

const Params = z.object({ date: Day, venue: VenueName, kind: z.enum(fileKinds) })

export const downloadHistoryFile = defineRoute({
  operationId: 'downloadHistoryFile',
  method: 'get',
  path: '/v1/history/files/{date}/{venue}/{kind}',
  family: 'history',
  access: { scope: 'read', feature: 'replay', credits: 10 },
  summary: 'The Parquet file of a day, venue and kind; Range resumes a download; ETag is the SHA-256',
  tag: 'history',
  params: Params,
  query: z.strictObject({}),
  data: null,
  contentType: parquet,
  media: { [parquet]: { binary: true, words: `Columns of ${columnWords(fileKinds, fileColumnsOf)}` } },
  revalidates: true,
  ranges: true,
  errors: ['EXCHANGE_NOT_AVAILABLE', 'SNAPSHOT_NOT_FOUND'],
  async handle({ params: { date, venue, kind }, principal, call }, { history, plans, clock }: HistoryDeps) {
    if (!history.serves(venue)) throw notServed(venue)
    const floorMs = historyFloorOf(plans, principal!, clock.now())
    if (floorMs !== null && Date.parse(date) < floorMs)
      throw new Fault('PLAN_REQUIRED', 'date is before the history this plan includes')
    const file = await history.files.find({ date, venue, kind: kind as FileKind })
    if (file === null) throw new Fault('SNAPSHOT_NOT_FOUND', `there is no file of ${date}, ${venue}, ${kind}`)
    const etag = `"${file.sha256}"`
    const headers = {
      etag,
      'accept-ranges': 'bytes',
      'last-modified': new Date(file.madeAt).toUTCString(),
      'cache-control': 'private, max-age=86400, immutable',
    }
    const { 'if-none-match': known, 'if-range': same, range: requestedRange } = call.headers
    // `*` matches whatever the file is.
    if (known !== undefined && tagsIn(known).some((tag) => tag === etag || tag === '*'))
      return { raw: { contentType: null, body: '' }, status: 304, headers }
    // A range of a different file would not fit.
    const range = same === undefined || same.trim() === etag ? readRange(requestedRange, file.size) : null
    if (range === 'unsatisfiable')
      throw new Fault('VALIDATION_ERROR', `range: the file has ${file.size} bytes`, {
        status: 416,
        headers: { 'content-range': `bytes */${file.size}` },
      })
    const { first, last } = range ?? { first: 0, last: file.size - 1 }
    const raw = {
      contentType: parquet,
      body: await bytesOf(history.files.pathOf(file), first, last),
      length: last - first + 1,
    }
    const named = { ...headers, 'content-disposition': `attachment; filename="${venue}-${date}-${kind}.parquet"` }
    if (range === null) return { raw, headers: named }
    return { raw, status: 206, headers: { ...named, 'content-range': `bytes ${first}-${last}/${file.size}` } }
  },
})

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

const notServed = (venue: string): Fault => new Fault('EXCHANGE_NOT_AVAILABLE', `exchange ${venue} is not available`)

/** Opened before the response starts: a file deleted before that is refused, one deleted later is read to its end. */
async function bytesOf(path: string, first: number, last: number): Promise<AsyncIterable<Uint8Array>> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Fault('SNAPSHOT_NOT_FOUND', 'this file has been deleted')
  }
  return { [Symbol.asyncIterator]: () => pieces(handle, first, last) }
}

/** Not a generator: one that is never read would never close the file. */
function pieces(handle: FileHandle, first: number, last: number): AsyncIterator<Uint8Array> {
  let at = first
  const ended = async (): Promise<IteratorReturnResult<undefined>> => {
    await handle.close()
    return { done: true, value: undefined }
  }
  return {
    return: ended,
    async next() {
      if (at > last) return ended()
      const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, last - at + 1))
      const { bytesRead } = await handle.read(piece, 0, piece.length, at)
      // Shorter than its manifest says; the client notices by the content length.
      if (bytesRead === 0) return ended()
      at += bytesRead
      return { done: false, value: piece.subarray(0, bytesRead) }
    },
  }
}
