// Which orders are being worked on. No account and no venue can take every slot: one that hangs, or has hundreds of orders, leaves slots
// for others.

interface Turn {
  account_id: string
  venue: string
}

/** Share of all slots: at most a quarter per account, half per venue. */
const accountShare = 1 / 4
const venueShare = 1 / 2

export class SlotPool {
  private readonly accountMax: number
  private readonly venueMax: number
  private readonly accounts = new Map<string, number>()
  private readonly venues = new Map<string, number>()

  constructor(atOnce: number) {
    this.accountMax = Math.max(1, Math.floor(atOnce * accountShare))
    this.venueMax = Math.max(1, Math.floor(atOnce * venueShare))
  }

  begin({ account_id, venue }: Turn): void {
    add(this.accounts, account_id, 1)
    add(this.venues, venue, 1)
  }

  end({ account_id, venue }: Turn): void {
    add(this.accounts, account_id, -1)
    add(this.venues, venue, -1)
  }

  /** Accounts and venues without free slots. */
  full(): { accounts: string[]; venues: string[] } {
    const { accounts, accountMax, venues, venueMax } = this
    return { accounts: reaching(accounts, accountMax), venues: reaching(venues, venueMax) }
  }

  /** Returns those of `wanted`, in order, that fit along with the orders in progress; their slots are taken until `end`. */
  admit<T extends Turn>(wanted: readonly T[]): T[] {
    return wanted.filter((one) => {
      const isFull =
        (this.accounts.get(one.account_id) ?? 0) >= this.accountMax ||
        (this.venues.get(one.venue) ?? 0) >= this.venueMax
      if (!isFull) this.begin(one)
      return !isFull
    })
  }
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}

const reaching = (counts: ReadonlyMap<string, number>, max: number): string[] =>
  [...counts].filter(([, count]) => count >= max).map(([name]) => name)
