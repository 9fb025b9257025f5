// The only place that calls nact's `spawn`. An actor is a step that decides and a shell that performs.
//
// tell(message) → mailbox → step(state, message, now) → effects → perform(effect)
//                           │ throws
//                           └→ logged, shell.restart(), state = initial(), `start` sent again
//
// `step` mutates its state: lifecycles are rare, but a venue's state may hold thousands of books, and copying them
// per message would help no test: the same messages at the same times still give the same effects.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { actorName } from './actorName.ts'
import { type ActorSystemRef, nact, type Ref } from './nact.ts'

export interface ActorDefinition<State, Message, Effect> {
  /** A noun and its subject: `ingest kalshi`. */
  name: string
  initial(): State
  step(state: State, message: Message, now: number): Effect[]
  perform(effect: Effect): void
  /** Sent first, and again after a crash. */
  start: Message
  /** Releases everything the shell holds, so that `start` begins from scratch. */
  restart(): void
}

export interface Actor<Message> {
  /** Never throws; a stopped actor ignores messages. */
  send(message: Message): void
  stop(): void
}

export function spawnActor<State, Message, Effect>(
  system: ActorSystemRef,
  stepper: ActorDefinition<State, Message, Effect>,
  { clock, log }: { clock: Clock; log: Log },
): Actor<Message> {
  let stopped = false
  const run = (state: State, message: Message): State => {
    if (stopped) return state
    for (const effect of stepper.step(state, message, clock.monotonic())) stepper.perform(effect)
    return state
  }
  const reference: Ref<Message> = nact.spawn(system, run, actorName(stepper.name), {
    initialStateFunc: stepper.initial,
    onCrash: (_message, error, context) => {
      log.error({ actor: stepper.name, err: error }, 'actor crashed; restarting it')
      stepper.restart()
      queueMicrotask(() => send(stepper.start))
      return context.reset
    },
  })
  function send(message: Message): void {
    if (!stopped) nact.dispatch(reference, message)
  }
  send(stepper.start)
  return {
    send,
    stop() {
      if (stopped) return
      stopped = true
      nact.stop(reference)
    },
  }
}
