// CSV from lines printed by the engine: for engines whose columns we cannot read.
import type { ReplayPage } from './tape.ts'
import { rowIn } from './tapeReads.ts'

export const engineCsv = (fields: readonly string[], { chunks, end }: ReplayPage): ReplayPage => ({
  chunks: csvOf(fields, chunks),
  end,
})

async function* csvOf(fields: readonly string[], chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const lines of wholeLines(chunks)) {
    const rows = lines.map((line) => csvLine(fields, rowIn(line)))
    yield Buffer.from(rows.join(''))
  }
}

const newline = 10

/** Every line once, one chunk at a time. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let open: Uint8Array[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline)
    // Copied because the chunk belongs to its producer.
    const rest = Buffer.from(chunk.subarray(end + 1))
    if (end < 0) open.push(rest)
    else {
      yield Buffer.concat([...open, chunk.subarray(0, end)])
        .toString()
        .split('\n')
      open = [rest]
    }
  }
}

/** Null is an empty field, an empty text is "". */
function csvLine(fields: readonly string[], row: Readonly<Record<string, unknown>>): string {
  let line = ''
  for (let i = 0; i < fields.length; i++) {
    const value = row[fields[i]!]
    if (i > 0) line += ','
    if (typeof value === 'string') line += csvText(value)
    else if (value !== null && value !== undefined) line += String(value)
  }
  return `${line}\n`
}

/** As `putCsv` of lines/texts.ts writes it. */
function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
