// Current scores of wallets, for trades being written: cached, updated by the roll-up, and looked up when unknown.
import { Cache } from '#core/cache'
import type { WalletCategory } from '#schemas/traders'
import type { TapeStore } from '#storage/clickhouse/client'
import { noScore, noUsd, type WalletRow } from '#storage/clickhouse/traderInsert'

/** Wallets cached, some 250 bytes each. */
const walletsMax = 200_000
/** Per statement: wallet names are sent in the URL. */
const lookUpMax = 2_000

export interface Judgement {
  score: number | null
  category: WalletCategory | null
  /** Mean value of its trades; null: unknown. */
  usualUsd: number | null
}

export interface WalletName {
  venue: string
  wallet: string
}

interface Line extends WalletName {
  score: number
  category: WalletCategory | 'none'
  usd: number
  trades: number
}

const findSql = `
SELECT venue, wallet, score, toString(category) AS category, usd, trades
FROM trader_wallets FINAL
WHERE (venue, wallet) IN (SELECT arrayJoin(arrayZip({venues:Array(String)}, {wallets:Array(String)})))
FORMAT JSONEachRow`

export class ScoreCache {
  /** Null: the record has nothing of the wallet. */
  private readonly known = new Cache<Judgement | null>(walletsMax)
  private readonly store: Pick<TapeStore, 'rows'>

  constructor(store: Pick<TapeStore, 'rows'>) {
    this.store = store
  }

  /** From the roll-up. */
  update(wallets: readonly WalletRow[]): void {
    for (const { venue, wallet, score, category, usd, trades } of wallets)
      this.known.set(keyOf({ venue, wallet }), judgementOf(score, category, usd, trades))
  }

  async of(wallets: readonly WalletName[]): Promise<(name: WalletName) => Judgement | null> {
    const unknown = new Map(wallets.flatMap((name) => (this.isKnown(name) ? [] : [[keyOf(name), name]])))
    const names = [...unknown.values()]
    for (let from = 0; from < names.length; from += lookUpMax) await this.lookUp(names.slice(from, from + lookUpMax))
    return (name) => this.known.get(keyOf(name)) ?? null
  }

  private async lookUp(names: readonly WalletName[]): Promise<void> {
    const lines = await this.store.rows<Line>(findSql, {
      venues: names.map(({ venue }) => venue),
      wallets: names.map(({ wallet }) => wallet),
    })
    const found = new Map(lines.map((line) => [keyOf(line), line]))
    for (const name of names) {
      // The roll-up may have updated it meanwhile, and is newer.
      if (this.isKnown(name)) continue
      const line = found.get(keyOf(name))
      this.known.set(keyOf(name), line === undefined ? null : judgementOfLine(line))
    }
  }

  private isKnown(name: WalletName): boolean {
    return this.known.get(keyOf(name)) !== undefined
  }
}

const keyOf = ({ venue, wallet }: WalletName): string => `${venue} ${wallet}`

const judgementOfLine = ({ score, category, usd, trades }: Line): Judgement =>
  judgementOf(
    score === noScore ? null : score / 10,
    category === 'none' ? null : category,
    usd === noUsd ? null : usd,
    trades,
  )

const judgementOf = (
  score: number | null,
  category: WalletCategory | null,
  usd: number | null,
  trades: number,
): Judgement => ({ score, category, usualUsd: usd === null || trades === 0 ? null : usd / trades / 1_000_000 })
