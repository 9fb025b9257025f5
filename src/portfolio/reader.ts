// The portfolio of an account: its journal, folded into positions, with what they are worth.
import type { Market } from '#schemas/market'
import { isOpenPosition } from '#schemas/openPosition'
import { FillReads } from './journal/fillReads.ts'
import { marketKey } from './journal/settlements.ts'
import { readJournal } from './journal.ts'
import { foldLedgerYielding } from './ledger/fold.ts'
import type { LedgerPosition } from './ledger/ledger.ts'
import { markPosition } from './marks.ts'
import type {
  BookAnswer,
  JournalPorts,
  JournalReader,
  MarkedPosition,
  PortfolioReader,
  PositionBooks,
} from './ports.ts'

export interface ReaderOptions extends JournalPorts {
  books: PositionBooks
}

export function createPortfolioReader({ books, ...ports }: ReaderOptions): PortfolioReader & JournalReader {
  const fillReads = new FillReads(ports)
  return {
    async readEntries(accountId) {
      const { markets: _, ...journal } = await readJournal(ports, accountId, { fillReads })
      return { ...journal, asOf: ports.clock.now() }
    },
    async read(accountId, { until, marks = true } = {}) {
      const { markets, ...journal } = await readJournal(ports, accountId, { fillReads })
      const ledger = await foldLedgerYielding(journal.entries, until)
      const now = ports.clock.now()
      // There is no book of the past here.
      const isNow = until === undefined || until >= now
      const marked = await markAll(ledger.positions, markets, isNow && marks ? books : null)
      return {
        ...journal,
        asOf: Math.min(until ?? now, now),
        ledger,
        positions: marked.positions,
        unavailable: [...journal.unavailable, ...marked.silent.map((venue) => `books:${venue}`)],
      }
    },
  }
}

/** `silent`: venues with a book that is not live. */
async function markAll(
  positions: readonly LedgerPosition[],
  markets: ReadonlyMap<string, Market>,
  books: PositionBooks | null,
): Promise<{ positions: MarkedPosition[]; silent: string[] }> {
  const marketOf = ({ venue, marketId }: LedgerPosition): Market | null =>
    markets.get(marketKey(venue, marketId)) ?? null
  const open = books === null ? [] : positions.filter(isOpenPosition)
  const withBooks = open.filter((position) => hasBook(marketOf(position)))
  const found = books === null ? [] : await books.read(withBooks)
  const answers = new Map<LedgerPosition, BookAnswer>(open.map((position) => [position, 'none']))
  for (const [i, position] of withBooks.entries()) answers.set(position, found[i]!)
  const silent = new Set(withBooks.flatMap(({ venue }, i) => (found[i] === 'silent' ? [venue] : [])))
  return {
    positions: positions.map((position) => markPosition(position, marketOf(position), answers.get(position) ?? null)),
    silent: [...silent].sort(),
  }
}

/** An unknown market may have one. */
const hasBook = (market: Market | null): boolean =>
  market === null || (market.sourceMetadata.synthetic !== true && ['active', 'unknown'].includes(market.status))
