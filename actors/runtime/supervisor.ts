// A node of the actor tree that has no messages of its own: it starts actors and further supervisors, and decides what a crash of one of them
// means.
//
// a child crashes → it is restarted, at once the first time, then after a delay that doubles
//                 → it crashed `escalateAfter` times within five minutes: the parent restarts this supervisor with everything below it
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { actorName } from './actorName.ts'
import { nact, nameOf, type Ref } from './nact.ts'

const crashWindowMs = 300_000
const firstDelayMs = 100
const delayMaxMs = 30_000

export interface Child {
  name: string
  clock: Clock
  log: Log
  /** Spawns it below this supervisor: the first time, and whenever the supervisor was restarted. */
  spawn(reference: Ref<never>): void
}

interface SupervisedChild extends Child {
  /** When it crashed within the last five minutes, on its monotonic clock. */
  crashes: number[]
  restart: { timer: Timer; giveUp: () => void } | null
}

export interface SupervisorOptions {
  name: string
  /** Null: a child is restarted however often it crashes. */
  escalateAfter: number | null
  /** Called for every restart, with the child's name. */
  onRestart?: ((child: string) => void) | undefined
}

export class Supervisor {
  private readonly options: SupervisorOptions
  private readonly children = new Map<string, SupervisedChild>()
  private readonly remove: () => void
  private reference!: Ref<never>
  private isEscalated = false
  private isStopped = false

  /** `register` spawns it below its parent and returns what removes it there. */
  private constructor(options: SupervisorOptions, register: (supervisor: Supervisor) => () => void) {
    this.options = options
    this.remove = register(this)
  }

  /** The top of the tree: one per process. */
  static start(options: SupervisorOptions): Supervisor {
    const system = nact.start()
    return new Supervisor(options, (root) => {
      root.spawnBelow(system)
      return () => nact.stop(system)
    })
  }

  /** A supervisor below this one, which restarts it if it escalates. */
  supervisor(
    name: string,
    { clock, log, escalateAfter }: Pick<Child, 'clock' | 'log'> & { escalateAfter: number | null },
  ) {
    const options = { name, escalateAfter, onRestart: this.options.onRestart }
    return new Supervisor(options, (below) =>
      this.add({ name, clock, log, spawn: (reference) => below.spawnBelow(reference) }),
    )
  }

  /** Spawns the child; returns what removes it from this supervisor. */
  add(child: Child): () => void {
    const supervised: SupervisedChild = { ...child, crashes: [], restart: null }
    const key = actorName(child.name)
    child.spawn(this.reference)
    this.children.set(key, supervised)
    return () => {
      if (this.children.get(key) !== supervised) return
      this.children.delete(key)
      cancelRestart(supervised)
    }
  }

  get name(): string {
    return this.options.name
  }

  /** Stops everything below it. */
  stop(): void {
    if (this.isStopped) return
    this.isStopped = true
    for (const child of this.children.values()) cancelRestart(child)
    this.remove()
    nact.stop(this.reference)
  }

  private spawnBelow(parent: Ref<never>): void {
    this.reference = nact.spawn(parent, (state: null) => state, actorName(this.options.name), {
      // Also called when the parent restarts this supervisor; nact has then stopped the children.
      initialStateFunc: ({ self }) => {
        this.isEscalated = false
        for (const child of this.children.values()) {
          cancelRestart(child)
          child.crashes = []
          child.spawn(self as Ref<never>)
        }
        return null
      },
      onCrash: async (_message, error, context, reference) => {
        const child = reference === undefined ? undefined : this.children.get(nameOf(reference))
        // Stopped meanwhile.
        if (child === undefined || this.isStopped || this.isEscalated) return context.resume
        const now = child.clock.monotonic()
        child.crashes = [...child.crashes.filter((at) => now - at < crashWindowMs), now]
        const { length: crashes } = child.crashes
        const { escalateAfter, onRestart, name } = this.options
        if (escalateAfter !== null && crashes >= escalateAfter) {
          child.log.error({ actor: child.name, crashes, err: error }, `actor keeps crashing; restarting all of ${name}`)
          this.isEscalated = true
          return context.escalate
        }
        const delayMs = crashes === 1 ? 0 : Math.min(delayMaxMs, firstDelayMs * 2 ** (crashes - 2))
        child.log.error({ actor: child.name, delayMs, err: error }, 'actor crashed; restarting it')
        onRestart?.(child.name)
        return delayMs === 0 || (await waitToRestart(child, delayMs)) ? context.resetChild : context.resume
      },
    }) as Ref<never>
  }
}

/** False: the child was removed or restarted meanwhile. */
const waitToRestart = (child: SupervisedChild, delayMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = child.clock.after(delayMs, () => {
      child.restart = null
      resolve(true)
    })
    child.restart = { timer, giveUp: () => resolve(false) }
  })

function cancelRestart(child: SupervisedChild): void {
  const { restart } = child
  child.restart = null
  restart?.timer.cancel()
  restart?.giveUp()
}
