// When the armed set is polled, when the worker is started, and when decisions are handed over: pure, no thread, no store.
//
// down ──startEngine──► up ──failed──► down        counts and decisions are lost with the worker: it starts over
// look ─► looked ─► dueIn ─► due ─► look …          one poll at a time; a notification makes it earlier, failures later
// decided ─► handOver ─► handed ─► handOver …       one hand-over at a time; decisions wait while the store is unavailable,
//                                                   and a decision whose row is locked waits separately
// improved ─► saveBestsIn ─► bestsDue ─► saveBests ─► bestsSaved …   best prices, at most once a second

export interface TriggersPace {
  /** From the end of a poll to the next. */
  lookEveryMs: number
}

export type TriggersMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** Orders have changed. */
  | { kind: 'rung' }
  | { kind: 'looked'; ok: boolean }
  | { kind: 'failed'; reason: string }
  | { kind: 'restart' }
  /** Decisions wait to be handed over. */
  | { kind: 'decided' }
  /** `nextInMs`: until something is to be handed over; null: nothing waits. */
  | { kind: 'handed'; ok: true; nextInMs: number | null }
  | { kind: 'handed'; ok: false }
  | { kind: 'retry' }
  /** Best prices of trailing stops wait to be saved. */
  | { kind: 'improved' }
  | { kind: 'bestsDue' }
  /** `more`: others came meanwhile. */
  | { kind: 'bestsSaved'; ok: true; more: boolean }
  | { kind: 'bestsSaved'; ok: false }

export type TriggersEffect =
  | { kind: 'startEngine' }
  | { kind: 'restartIn'; delayMs: number }
  | { kind: 'forget'; reason: string }
  | { kind: 'look' }
  | { kind: 'dueIn'; delayMs: number }
  | { kind: 'handOver' }
  | { kind: 'retryIn'; delayMs: number }
  | { kind: 'saveBestsIn'; delayMs: number }
  | { kind: 'saveBests' }

export interface TriggersState {
  engine: 'down' | 'up'
  /** Consecutive, without a stable period between them. */
  engineFailures: number
  engineUpAt: number
  looking: boolean
  /** A notification arrived, and its poll has not begun. */
  rung: boolean
  lookFailures: number
  /** `resting`: the last one failed, the next waits for its time. */
  handing: 'no' | 'yes' | 'resting'
  handFailures: number
  /** `waiting`: for their time. */
  saving: 'no' | 'waiting' | 'yes'
  /** When the last save began. */
  savedAt: number
  saveFailures: number
}

export const initialTriggersState = (): TriggersState => ({
  engine: 'down',
  engineFailures: 0,
  engineUpAt: 0,
  looking: false,
  rung: false,
  lookFailures: 0,
  handing: 'no',
  handFailures: 0,
  saving: 'no',
  savedAt: Number.NEGATIVE_INFINITY,
  saveFailures: 0,
})

/** Notifications within this time lead to one poll. */
export const debounceMs = 10
const restartMs = 100
const restartMsMax = 5_000
/** After running this long, a worker's failure counts as unrelated to the last one. */
export const quietPeriodMs = 10_000
export const pollBackoffMaxMs = 5_000
const retryMs = 100
export const retryMaxMs = 2_000
/** An order's best price is saved at most once in this time. */
export const saveBestsMs = 1_000

const backedOff = (ms: number, failures: number, maxMs: number): number =>
  Math.min(maxMs, ms * 2 ** Math.min(failures, 10))

export function stepTriggers(
  { lookEveryMs }: TriggersPace,
  state: TriggersState,
  message: TriggersMessage,
  now: number,
): TriggersEffect[] {
  switch (message.kind) {
    case 'start':
      state.looking = true
      return [startEngine(state, now), { kind: 'look' }]
    case 'due':
      if (state.looking) return []
      state.looking = true
      state.rung = false
      return [{ kind: 'look' }]
    case 'rung':
      // While polls fail, only the timer starts the next one.
      if (state.rung || state.lookFailures > 0) return []
      state.rung = true
      return state.looking ? [] : [{ kind: 'dueIn', delayMs: debounceMs }]
    case 'looked': {
      state.looking = false
      state.lookFailures = message.ok ? 0 : state.lookFailures + 1
      const delayMs = backedOff(lookEveryMs, state.lookFailures, pollBackoffMaxMs)
      return [{ kind: 'dueIn', delayMs: message.ok && state.rung ? debounceMs : delayMs }]
    }
    case 'failed': {
      if (state.engine === 'down') return []
      if (now - state.engineUpAt >= quietPeriodMs) state.engineFailures = 0
      const delayMs = backedOff(restartMs, state.engineFailures++, restartMsMax)
      state.engine = 'down'
      const forget: TriggersEffect = { kind: 'forget', reason: message.reason }
      // The first restart is immediate: a single bad book must not cost a second.
      return [forget, delayMs === restartMs ? startEngine(state, now) : { kind: 'restartIn', delayMs }]
    }
    case 'restart':
      if (state.engine === 'up') return []
      return [startEngine(state, now)]
    case 'decided':
      return state.handing === 'no' ? handOver(state) : []
    case 'handed':
      if (!message.ok) {
        state.handing = 'resting'
        return [{ kind: 'retryIn', delayMs: backedOff(retryMs, state.handFailures++, retryMaxMs) }]
      }
      state.handFailures = 0
      if (message.nextInMs === 0) return handOver(state)
      state.handing = 'no'
      return message.nextInMs === null ? [] : [{ kind: 'retryIn', delayMs: message.nextInMs }]
    case 'retry':
      return state.handing === 'yes' ? [] : handOver(state)
    case 'improved':
      return state.saving === 'no' ? saveBests(state, now) : []
    case 'bestsDue':
      state.saving = 'yes'
      state.savedAt = now
      return [{ kind: 'saveBests' }]
    case 'bestsSaved':
      state.saveFailures = message.ok ? 0 : state.saveFailures + 1
      state.saving = 'no'
      return message.ok && !message.more ? [] : saveBests(state, now)
  }
}

function startEngine(state: TriggersState, now: number): TriggersEffect {
  state.engine = 'up'
  state.engineUpAt = now
  return { kind: 'startEngine' }
}

function saveBests(state: TriggersState, now: number): TriggersEffect[] {
  state.saving = 'waiting'
  const pauseMs = backedOff(saveBestsMs, state.saveFailures, pollBackoffMaxMs)
  return [{ kind: 'saveBestsIn', delayMs: Math.max(0, state.savedAt + pauseMs - now) }]
}

function handOver(state: TriggersState): TriggersEffect[] {
  state.handing = 'yes'
  return [{ kind: 'handOver' }]
}
