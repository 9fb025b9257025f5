// Pages of a tape, read one after the other to the end of the window.
import type { RowEncoderWorker } from '#history/lines/rowEncoderWorker'
import type { MarketHistory, PageEnd, ReplayPosition, ReplayQuery } from '#history/tape'

/** A thread that knows no columns: the engine formats every page itself. */
export const asPrinted: RowEncoderWorker = {
  write: async () => ({ kind: 'unknown', what: 'no columns are known here' }),
  drop: () => undefined,
}

export interface ReadPage {
  text: string
  end: PageEnd
}

export async function pageOf(
  tape: Pick<MarketHistory, 'replay'>,
  query: Omit<ReplayQuery, 'signal' | 'after'> & { after?: ReplayPosition | null },
): Promise<ReadPage> {
  const page = await tape.replay({ after: null, ...query, signal: new AbortController().signal })
  const parts: Uint8Array[] = []
  for await (const chunk of page.chunks) parts.push(chunk)
  return { text: Buffer.concat(parts).toString('latin1'), end: await page.end }
}

/** All pages by their cursors. */
export async function pagesOf(
  tape: Pick<MarketHistory, 'replay'>,
  query: Omit<ReplayQuery, 'signal' | 'after'>,
): Promise<ReadPage[]> {
  const pages: ReadPage[] = []
  for (let after: ReplayPosition | null = null; ; ) {
    const page = await pageOf(tape, { ...query, after })
    pages.push(page)
    if (!page.end.more || page.end.last === null) return pages
    after = page.end.last
  }
}
