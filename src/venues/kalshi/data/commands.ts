// Commands we send to the socket, and which command carried which markets, so that an error can be attributed.
// https://docs.kalshi.com/websockets

/** Channels that require market tickers, in subscription order. */
export const marketChannels = ['orderbook_delta', 'trade', 'ticker'] as const
export type MarketChannel = (typeof marketChannels)[number]
/** Every market's lifecycle on one subscription; takes no tickers. */
export const lifecycleChannel = 'market_lifecycle_v2'

export type CommandKind = 'subscribe' | 'lifecycle' | 'add' | 'delete' | 'snapshot'
export interface SentCommand {
  kind: CommandKind
  tickers: readonly string[]
}

/** Commands remembered for late errors; older ones have long been answered. */
const retainedMax = 1_000

export class Commands {
  private nextId = 1
  private readonly sent = new Map<number, SentCommand>()
  private readonly yesPrice: boolean

  /**
   * `yesPrice`: request NO levels in YES prices. Always stated explicitly: the venue has announced that its default will
   * change.
   */
  constructor(yesPrice: boolean) {
    this.yesPrice = yesPrice
  }

  /** A repeated subscribe adds its markets to the existing subscription (answered by `ok`; observed 2026-07-01). */
  subscribe(tickers: readonly string[]): string {
    return this.command('subscribe', tickers, 'subscribe', {
      channels: marketChannels,
      market_tickers: tickers,
      use_yes_price: this.yesPrice,
    })
  }

  lifecycle(): string {
    return this.command('lifecycle', [], 'subscribe', { channels: [lifecycleChannel] })
  }

  update(kind: 'add' | 'delete' | 'snapshot', sid: number, tickers: readonly string[]): string {
    const action = kind === 'add' ? 'add_markets' : kind === 'delete' ? 'delete_markets' : 'get_snapshot'
    return this.command(kind, tickers, 'update_subscription', { sids: [sid], action, market_tickers: tickers })
  }

  find(id: number | null): SentCommand | undefined {
    return id === null ? undefined : this.sent.get(id)
  }

  private command(kind: CommandKind, tickers: readonly string[], cmd: string, params: object): string {
    const id = this.nextId++
    this.sent.set(id, { kind, tickers })
    this.sent.delete(id - retainedMax)
    return JSON.stringify({ id, cmd, params })
  }
}
