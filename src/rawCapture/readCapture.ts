// Reads captures back: runs in their order, each line checked as far as a replay relies on it. A file that ends in the middle of a line or
// of a compressed block was being written when its process was killed: complete lines are read.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { constants, createGunzip } from 'node:zlib'
import { z } from 'zod'
import { type CaptureFile, captureFileAt, captureFilesIn } from './captureFolder.ts'
import { captureVersion, type HeaderLine, type StampedLine } from './lines.ts'

/** One ingest's traffic, whole or in part. */
export interface CaptureRun {
  venue: string
  run: string
  /** In order. Others may be missing between them. */
  files: CaptureFile[]
}

export class UnreadableCapture extends Error {}

/** The longest answer that is read, as JSON text. */
const rowCharsMax = 512 * 1024 * 1024

/** Of folders and files. Throws UnreadableCapture when there is none. */
export async function findRuns(paths: readonly string[]): Promise<CaptureRun[]> {
  const files: CaptureFile[] = []
  for (const path of paths) {
    const found = await stat(path).catch((error: Error) => {
      throw new UnreadableCapture(`${path} cannot be read: ${error.message}`)
    })
    if (found.isDirectory()) files.push(...(await captureFilesIn(path)))
    else {
      const file = captureFileAt(path)
      if (file === null) throw new UnreadableCapture(`${path} is not named like a capture: keep the original names`)
      files.push(file)
    }
  }
  const runs = new Map<string, CaptureRun>()
  for (const file of new Map(files.map((each) => [each.path, each])).values()) {
    const { venue, run } = file
    const known = runs.get(`${venue} ${run}`) ?? { venue, run, files: [] }
    runs.set(`${venue} ${run}`, known)
    known.files.push(file)
  }
  if (runs.size === 0) throw new UnreadableCapture(`no capture in ${paths.join(', ')}`)
  for (const { files: own } of runs.values()) own.sort((a, b) => a.file - b.file)
  return [...runs.values()]
}

/** What every line has. The fields of its type are those this version writes. */
const Line = z.looseObject({ type: z.string(), at: z.number(), mono: z.number() })
const Header = z.looseObject({
  type: z.literal('capture'),
  version: z.number().int(),
  venue: z.string(),
  run: z.string(),
  file: z.number().int(),
  events: z.number().int(),
  settings: z.looseObject({ epoch: z.number(), seed: z.number(), streamed: z.boolean() }),
})

/** Position of a line, for messages. */
export interface Place {
  path: string
  /** From 1. */
  line: number
}

/** Null in place of a line: what is missing here was being written when the process was killed. */
export async function* readLines(run: CaptureRun): AsyncGenerator<{ line: StampedLine | null; place: Place }> {
  for (const { path } of run.files) {
    let number = 0
    for await (const { row, isWhole } of rowsIn(path)) {
      const line = isWhole ? parseLine(row) : null
      number++
      if (number === 1 && line !== null) checkHeader(line, path)
      yield { line, place: { path, line: number } }
      if (line === null) break
    }
    if (number === 0) yield { line: null, place: { path, line: 1 } }
  }
}

async function* rowsIn(path: string): AsyncGenerator<{ row: string; isWhole: boolean }> {
  const bytes = createReadStream(path)
  // A missing end is not an error.
  const text = bytes.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))
  bytes.on('error', (error) => text.destroy(error))
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const piece of text as AsyncIterable<Buffer>) {
      const rows = (rest + decoder.write(piece)).split('\n')
      rest = rows.pop()!
      if (rest.length > rowCharsMax) throw new Error('a line is too long')
      for (const row of rows) yield { row, isWhole: true }
    }
  } catch (error) {
    throw new UnreadableCapture(`${path} cannot be read: ${(error as Error).message}`)
  } finally {
    bytes.destroy()
  }
  if (rest !== '') yield { row: rest, isWhole: false }
}

function parseLine(row: string): StampedLine | null {
  try {
    const line = Line.safeParse(JSON.parse(row))
    return line.success ? (line.data as unknown as StampedLine) : null
  } catch {
    return null
  }
}

function checkHeader(line: StampedLine, path: string): asserts line is StampedLine & HeaderLine {
  if (line.type !== 'capture') throw new UnreadableCapture(`${path} does not begin with the header of a capture`)
  if (line.version > captureVersion)
    throw new UnreadableCapture(
      `${path} was written by a newer program (${line.program}): its format is ${line.version}, this program reads up to ${captureVersion}`,
    )
  const found = Header.safeParse(line)
  if (!found.success)
    throw new UnreadableCapture(`${path} has a header that cannot be read: ${found.error.issues[0]?.path.join('.')}`)
}
