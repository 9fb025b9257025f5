// Where a strategy runs, as the engine sees it. Time moves only while the strategy waits for something that time brings.

export interface StrategyHost {
  start(): Promise<void>
  /**
   * Hands over what waits for the strategy. False: nothing waited. True: it handles it before the next turn of the event loop. A promise:
   * resolves once it has handled it.
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

export interface LogLine {
  /** Of the tape, epoch ms. */
  at: number
  message: string
  data?: Readonly<Record<string, unknown>>
}
