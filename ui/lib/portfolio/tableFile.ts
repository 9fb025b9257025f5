// A table that is served in pages, as files.
import { apiFile } from '../api.ts'
import { headerNotes, joinCsv } from './tableText.ts'

export type TableFormat = 'csv' | 'parquet'

interface TableFile {
  name: string
  body: Blob
}

interface Tables {
  files: TableFile[]
  /** What the rows lack. */
  notes: string[]
}

interface Options {
  path: string
  query: Readonly<Record<string, string | number>>
  format: TableFormat
  /** Of the file, without its ending. */
  name: string
}

/** Each page is a read of the whole ledger. */
const pagesMax = 200

/** CSV becomes one file. Parquet pages stay files of their own. */
export async function readTable({ path, query, format, name }: Options): Promise<Tables> {
  const pages: Blob[] = []
  const notes = new Set<string>()
  let cursor: string | null = null
  do {
    const { body, headers } = await apiFile(path, { ...query, format, ...(cursor !== null && { cursor }) })
    pages.push(body)
    for (const note of headerNotes(headers)) notes.add(note)
    cursor = headers.get('x-next-cursor')
  } while (cursor !== null && pages.length < pagesMax)
  if (cursor !== null) notes.add(`Only the first ${pagesMax} pages are included: there are more rows.`)
  const files =
    format === 'csv'
      ? [{ name: `${name}.csv`, body: new Blob([joinCsv(await Promise.all(pages.map((page) => page.text())))]) }]
      : pages.map((body, i) => ({ name: pages.length === 1 ? `${name}.parquet` : `${name}-${i + 1}.parquet`, body }))
  return { files, notes: [...notes] }
}

let savedUrls: string[] = []

/** Saves as downloads do. The addresses of the files are valid until the next time: some browsers read them late. */
export function saveFiles(files: readonly TableFile[]): void {
  for (const url of savedUrls) URL.revokeObjectURL(url)
  savedUrls = files.map(({ body }) => URL.createObjectURL(body))
  for (const [i, { name }] of files.entries()) {
    const link = document.createElement('a')
    link.href = savedUrls[i]!
    link.download = name
    link.click()
  }
}
