// What each kind of entry does to positions and balances.
import type { AccountBook } from './accountBook.ts'
import { minus, parseAmount, parseAmountOrNull, splitByWeights } from './amounts.ts'
import { applyConversion } from './applyConversion.ts'
import { applyRedemption } from './applyRedemption.ts'
import type { FillEntry, ImportEntry, SetEntry, SettlementEntry, TransferEntry } from './entry.ts'
import type { CountedEntry } from './order.ts'

export function applyEntry(book: AccountBook, entry: CountedEntry): void {
  switch (entry.kind) {
    case 'fill':
      applyFill(book, entry)
      break
    case 'import':
      applyImport(book, entry)
      break
    case 'transfer':
      applyTransfer(book, entry)
      break
    case 'split':
    case 'merge':
      applySet(book, entry)
      break
    case 'conversion':
      applyConversion(book, entry)
      break
    case 'settlement':
      applySettlement(book, entry)
      break
    case 'redemption':
      applyRedemption(book, entry)
      break
  }
}

function applyFill(book: AccountBook, entry: FillEntry): void {
  const size = parseAmount(entry.size)
  const gross = parseAmountOrNull(entry.cash)
  const fee = parseAmountOrNull(entry.fee)
  const shareFee = entry.feeIn === 'outcome' ? (fee ?? 0n) : 0n
  // A known fee in shares is no fee in cash.
  const cashFee = entry.feeIn === 'outcome' && fee !== null ? 0n : fee
  const isBuy = entry.side === 'buy'
  const cash = minus(isBuy ? minus(0n, gross) : gross, cashFee ?? 0n)
  const balance = book.balance(entry)
  balance.receive(cash)
  balance.countFee(cashFee)
  const shares = (isBuy ? size : -size) - shareFee
  book.move(book.position(entry), entry.currency, { at: entry.at, shares, cash, fee: cashFee })
}

/** As if the cost had been paid in and the shares bought with it. */
function applyImport(book: AccountBook, entry: ImportEntry): void {
  const cost = parseAmountOrNull(entry.cost)
  book.balance(entry).deposit(cost)
  const change = { at: entry.at, shares: parseAmount(entry.size), cash: minus(0n, cost), fee: 0n }
  book.move(book.position(entry), entry.currency, change, 'deposit')
}

function applyTransfer(book: AccountBook, entry: TransferEntry): void {
  const cash = parseAmount(entry.cash)
  const balance = book.balance(entry)
  balance.receive(cash)
  balance.deposit(cash)
}

/** The price of the sets is divided equally among the outcomes; the first one gets what rounding leaves. */
function applySet(book: AccountBook, entry: SetEntry): void {
  const { at, venue, marketId, outcomeIds } = entry
  if (outcomeIds.length === 0) throw new RangeError(`${entry.kind} ${entry.id} has no outcomes`)
  const size = parseAmount(entry.size)
  const shares = entry.kind === 'split' ? size : -size
  book.balance(entry).receive(-shares)
  const cash = splitByWeights(
    -shares,
    outcomeIds.map(() => 1n),
  )
  outcomeIds.forEach((outcomeId, i) => {
    const position = book.position({ venue, marketId, outcomeId })
    book.move(position, entry.currency, { at, shares, cash: cash[i]!, fee: 0n })
  })
}

/** A later settlement of the same outcome counts for the shares that are still open. */
function applySettlement(book: AccountBook, entry: SettlementEntry): void {
  const position = book.position(entry)
  position.resolve(parseAmount(entry.value), entry.paysItself)
  book.settle(position, entry.at)
}
