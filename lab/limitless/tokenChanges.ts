// Outcome tokens that wallets got or gave at the contract itself, in addition to what their orders traded. Base units, by market.

export interface Tokens {
  yes: bigint
  no: bigint
}

export class TokenChanges {
  /** By wallet, lower case, and slug. Below zero: given. */
  private readonly wallets = new Map<string, Map<string, Tokens>>()

  add(wallet: string, slug: string, { yes, no }: Tokens): void {
    const key = wallet.toLowerCase()
    const markets = this.wallets.get(key) ?? new Map<string, Tokens>()
    const before = markets.get(slug) ?? { yes: 0n, no: 0n }
    markets.set(slug, { yes: before.yes + yes, no: before.no + no })
    this.wallets.set(key, markets)
  }

  of(wallet: string): ReadonlyMap<string, Tokens> {
    return this.wallets.get(wallet.toLowerCase()) ?? new Map()
  }
}
