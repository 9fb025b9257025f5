// The only place that spawns actors with messages. An actor is a step that decides and a shell that performs.
//
// send(message) → mailbox → step(state, message, now) → effects → perform(effect)
//                           │ throws
//                           └→ shell.release(); its supervisor restarts it: state = initial(), `start` first, then the messages that waited
//
// `step` mutates its state: lifecycles are rare, but a venue's state may hold thousands of books, and copying them
// per message would help no test: the same messages at the same times still give the same effects.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { actorName } from './actorName.ts'
import { nact, type Ref } from './nact.ts'
import type { Supervisor } from './supervisor.ts'

/** Messages that wait for the restart of a crashed actor; later ones are dropped. */
const heldMessagesMax = 10_000

export interface ActorDefinition<State, Message, Effect> {
  /** A noun and its subject: `ingest kalshi`. */
  name: string
  initial(): State
  step(state: State, message: Message, now: number): Effect[]
  perform(effect: Effect): void
  /** Sent first, and again after a crash. */
  start: Message
  /** After a crash: releases everything the shell holds, so that `start` begins from scratch. */
  release(): void
}

export interface Actor<Message> {
  /** Never throws; a stopped actor ignores messages. */
  send(message: Message): void
  stop(): void
}

/** Begins an actor that has not handled `start` yet. */
const wake = Symbol('wake')

export function spawnActor<State, Message, Effect>(
  parent: Supervisor,
  definition: ActorDefinition<State, Message, Effect>,
  { clock, log }: { clock: Clock; log: Log },
): Actor<Message> {
  const { name } = definition
  let reference: Ref<Message | typeof wake>
  let stopped = false
  let condition: 'new' | 'waking' | 'running' | 'down' = 'new'
  let held = 0
  /** Delivered although it could not create its state; nact's mailbox keeps the others. */
  const undelivered: Message[] = []

  function handle(state: State, message: Message): void {
    for (const effect of definition.step(state, message, clock.monotonic())) definition.perform(effect)
  }

  function run(state: State, message: Message | typeof wake): State {
    if (stopped) return state
    if (condition === 'down') {
      if (message !== wake) undelivered.push(message)
      return state
    }
    try {
      if (condition === 'waking') {
        condition = 'running'
        handle(state, definition.start)
        for (const earlier of undelivered.splice(0)) handle(state, earlier)
      }
      if (message !== wake) handle(state, message)
      return state
    } catch (error) {
      condition = 'down'
      release()
      throw error
    }
  }

  function release(): void {
    try {
      definition.release()
    } catch (error) {
      log.error({ actor: name, err: error }, 'a crashed actor failed to release what it held')
    }
  }

  function initialState(self: Ref<Message | typeof wake>): State {
    // Its supervisor was restarted while it ran.
    if (condition === 'waking' || condition === 'running') release()
    if (held > heldMessagesMax)
      log.warn({ actor: name, dropped: held - heldMessagesMax }, 'messages to a crashed actor were dropped')
    held = 0
    condition = 'down'
    const state = definition.initial()
    condition = 'waking'
    nact.dispatch(self, wake)
    return state
  }

  const remove = parent.add({
    name,
    clock,
    log,
    spawn(below) {
      reference = nact.spawn(below, run, actorName(name), {
        initialStateFunc: ({ self }) => initialState(self),
        onCrash(_message, error, context) {
          if (!stopped) return context.escalate
          // Without a parent there is nothing to restart it.
          log.error({ actor: name, err: error }, 'actor crashed while it was being stopped')
          return context.resume
        },
      })
    },
  })
  return {
    send(message) {
      if (stopped) return
      if (condition === 'down' && ++held > heldMessagesMax) return
      nact.dispatch(reference, message)
    },
    stop() {
      if (stopped) return
      stopped = true
      remove()
      nact.stop(reference)
    },
  }
}
