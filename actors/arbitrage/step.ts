// Decides when the surface is computed and when it is published: pure, no thread, no socket.
//
// down ──startEngine──► starting ──first full pass──► up ──failed──► down     rows are withheld until up again,
//                                                                             and the next message is a snapshot
// passed ─► publish ─► published ─► publish …

export interface ArbitragePace {
  intervalMs: number
  heartbeatMs: number
}

export type ArbitrageMessage =
  | { kind: 'start' }
  /** The interval has elapsed. */
  | { kind: 'tick' }
  /** The engine computed something; `full`: a full pass. */
  | { kind: 'passed'; full: boolean }
  | { kind: 'failed'; reason: string }
  | { kind: 'restart' }
  /** A publication finished; `ok` false: it was aborted. */
  | { kind: 'published'; ok: boolean }

export type ArbitrageEffect =
  | { kind: 'startEngine' }
  | { kind: 'requestPass' }
  | { kind: 'publish'; snapshot: boolean; pass: boolean }
  | { kind: 'withhold'; reason: string }
  | { kind: 'restartLater'; delayMs: number }

export interface ArbitrageState {
  engine: 'down' | 'starting' | 'up'
  publishing: boolean
  /** Whether there are unpublished results, and whether a full pass is among them. */
  computed: 'nothing' | 'some' | 'full'
  snapshotDue: boolean
  ticks: number
  ticksAtSnapshot: number
  /** Consecutive failures without a stable period between them. */
  failures: number
  ticksAtStart: number
}

export const initialArbitrageState = (): ArbitrageState => ({
  engine: 'down',
  publishing: false,
  computed: 'nothing',
  snapshotDue: true,
  ticks: 0,
  ticksAtSnapshot: 0,
  failures: 0,
  ticksAtStart: 0,
})

const restartMs = 100
const restartMsMax = 5_000
/** After running this long, a worker's failure counts as unrelated to the last one. */
export const calmMs = 10_000

export function stepArbitrage(
  pace: ArbitragePace,
  state: ArbitrageState,
  message: ArbitrageMessage,
): ArbitrageEffect[] {
  switch (message.kind) {
    case 'start':
    case 'restart':
      if (state.engine !== 'down') return []
      return [startEngine(state)]
    case 'tick':
      state.ticks++
      return state.engine === 'up' ? [{ kind: 'requestPass' }] : []
    case 'passed':
      if (state.engine === 'down' || (state.engine === 'starting' && !message.full)) return []
      if (message.full) state.engine = 'up'
      state.computed = message.full ? 'full' : state.computed === 'full' ? 'full' : 'some'
      return publishWhenFree(pace, state)
    case 'failed': {
      if (state.engine === 'down') return []
      if ((state.ticks - state.ticksAtStart) * pace.intervalMs >= calmMs) state.failures = 0
      state.engine = 'down'
      state.computed = 'nothing'
      state.snapshotDue = true
      const delayMs = Math.min(restartMsMax, restartMs * 2 ** state.failures++)
      // The first restart is immediate: a single bad book must not cost a second.
      const again: ArbitrageEffect = delayMs === restartMs ? startEngine(state) : { kind: 'restartLater', delayMs }
      return [{ kind: 'withhold', reason: message.reason }, again]
    }
    case 'published':
      state.publishing = false
      if (!message.ok) state.snapshotDue = true
      return publishWhenFree(pace, state)
  }
}

function startEngine(state: ArbitrageState): ArbitrageEffect {
  state.engine = 'starting'
  state.ticksAtStart = state.ticks
  return { kind: 'startEngine' }
}

function publishWhenFree(pace: ArbitragePace, state: ArbitrageState): ArbitrageEffect[] {
  if (state.engine !== 'up' || state.publishing || state.computed === 'nothing') return []
  const heartbeat =
    state.computed === 'full' && state.ticks - state.ticksAtSnapshot >= pace.heartbeatMs / pace.intervalMs
  const snapshot = state.snapshotDue || heartbeat
  const pass = state.computed === 'full'
  if (snapshot) state.ticksAtSnapshot = state.ticks
  state.snapshotDue = false
  state.computed = 'nothing'
  state.publishing = true
  return [{ kind: 'publish', snapshot, pass }]
}
