// Where a strategy runs, as the engine sees it. Time moves only while the strategy waits for a frame or a timer.

export interface StrategyHost {
  start(): Promise<void>
  /**
   * Delivers pending input to the strategy. False: none was pending. True: it is handled before the next turn of the event loop. A promise:
   * resolves once it is handled.
   */
  deliver(): boolean | Promise<void>
  /** A request is under way. */
  readonly isBusy: boolean
  readonly hasEnded: boolean
  /** The run is over: the strategy is signalled, and its streams end. */
  finish(): void
  /** Releases everything; stopping twice is harmless. */
  stop(): Promise<void>
}

/** Why a strategy ended a run. `stack` is the strategy's. */
export class StrategyFailure extends Error {
  readonly strategyStack: string

  constructor(message: string, strategyStack: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StrategyFailure'
    this.strategyStack = strategyStack
  }
}

/** Requests, or steps of the engine, at one time of the tape. */
export const stepsPerTimeMax = 20_000

export const neverWaits = (at: number): StrategyFailure =>
  new StrategyFailure(
    `the strategy never waits: ${stepsPerTimeMax} steps at ${new Date(at).toISOString()} without letting time pass. ` +
      'A loop must await a stream or clock.sleep',
    '',
  )

/** JSON of what a strategy logs: a bigint is written as its digits. */
export const logJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

export interface LogLine {
  /** Of the tape, epoch ms. */
  at: number
  message: string
  data?: Readonly<Record<string, unknown>>
}
