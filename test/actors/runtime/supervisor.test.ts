// Crashes at every level of the actor tree: of one actor, of a venue, of a role; other venues and roles are not affected.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import { start, stop, superviseRole, superviseVenue, venueCrashesMax } from '#actors/system'
import { ManualClock } from '#core/clock'
import { createLog, type Log } from '#core/log'

type Message = { kind: 'start' } | { kind: 'note'; text: string } | { kind: 'crash' }

interface Line {
  msg: string
  actor?: string
  delayMs?: number
  dropped?: number
}

let clock: ManualClock
let lines: Line[]
let log: Log
let restarts: string[]
let system: Supervisor
let ingest: Supervisor
let jobs: Supervisor
let kalshi: Supervisor
let polymarket: Supervisor

beforeEach(() => {
  clock = new ManualClock()
  lines = []
  log = createLog('trace', { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  restarts = []
  system = start((actor) => restarts.push(actor))
  ingest = superviseRole(system, 'ingest', { clock, log })
  jobs = superviseRole(system, 'jobs', { clock, log })
  kalshi = superviseVenue(ingest, 'kalshi', { clock, log })
  polymarket = superviseVenue(ingest, 'polymarket', { clock, log })
})
afterEach(() => stop(system))

/** Mailboxes are emptied one message per turn of the event loop. */
async function handled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await nextTurn()
}

/** An actor that lists what happens to it. */
function spawnProbe(parent: Supervisor, name: string, failing: { initial?: boolean } = {}) {
  const events: string[] = []
  const actor: Actor<Message> = spawnActor<{ handled: number }, Message, string>(
    parent,
    {
      name,
      initial() {
        if (failing.initial) throw new Error('no state')
        return { handled: 0 }
      },
      step(state, message) {
        if (message.kind === 'crash') throw new Error('a bug')
        state.handled++
        return [message.kind === 'note' ? `${message.text} ${state.handled}` : message.kind]
      },
      perform: (effect) => void events.push(effect),
      start: { kind: 'start' },
      release: () => void events.push('release'),
    },
    { clock, log },
  )
  return {
    events,
    actor,
    note: (text: string) => actor.send({ kind: 'note', text }),
    async crash(): Promise<void> {
      actor.send({ kind: 'crash' })
      await handled()
    },
  }
}

describe('an actor that crashes', () => {
  it('releases what it holds and starts again at once, with a new state, before messages that waited', async () => {
    const probe = spawnProbe(kalshi, 'ingest kalshi')
    probe.note('a')
    probe.actor.send({ kind: 'crash' })
    probe.note('b')
    await handled()
    expect(probe.events).toEqual(['start', 'a 2', 'release', 'start', 'b 2'])
    expect(restarts).toEqual(['ingest kalshi'])
    expect(lines).toMatchObject([{ msg: 'actor crashed; restarting it', actor: 'ingest kalshi', delayMs: 0 }])
  })

  it('waits twice as long before each further restart, and keeps its messages meanwhile', async () => {
    const probe = spawnProbe(jobs, 'matcher')
    await probe.crash()
    for (const delayMs of [100, 200, 400]) {
      probe.events.length = 0
      await probe.crash()
      probe.note('held')
      clock.advance(delayMs - 1)
      await handled()
      expect(probe.events).toEqual(['release'])
      clock.advance(1)
      await handled()
      expect(probe.events).toEqual(['release', 'start', 'held 2'])
    }
  })

  it('restarts at once again after five minutes without a crash', async () => {
    const probe = spawnProbe(jobs, 'matcher')
    await probe.crash()
    await probe.crash()
    clock.advance(300_000)
    await handled()
    probe.events.length = 0
    await probe.crash()
    expect(probe.events).toEqual(['release', 'start'])
  })

  it('never waits longer than 30 seconds in a role, however often it crashes', async () => {
    const probe = spawnProbe(jobs, 'matcher')
    for (let crash = 0; crash < 20; crash++) {
      await probe.crash()
      clock.advance(30_000)
      await handled()
    }
    expect(probe.events.filter((event) => event === 'start')).toHaveLength(21)
  })

  it('keeps 10,000 messages while it waits, and logs how many more were dropped', async () => {
    const probe = spawnProbe(jobs, 'matcher')
    await probe.crash()
    await probe.crash()
    for (let i = 0; i < 10_003; i++) probe.note('held')
    probe.events.length = 0
    clock.advance(100)
    await expect.poll(() => probe.events.length, { timeout: 10_000 }).toBe(10_001)
    expect(lines.at(-1)).toMatchObject({
      msg: 'messages to a crashed actor were dropped',
      actor: 'matcher',
      dropped: 3,
    })
  })

  it('is tried again when it cannot create its state', async () => {
    const failing = { initial: false }
    const probe = spawnProbe(jobs, 'sports', failing)
    failing.initial = true
    await probe.crash()
    failing.initial = false
    probe.note('held')
    clock.advance(100)
    await handled()
    expect(probe.events).toEqual(['start', 'release', 'start', 'held 2'])
  })

  it('leaves no timer and does not come back when it is stopped while it waits', async () => {
    const probe = spawnProbe(jobs, 'matcher')
    await probe.crash()
    await probe.crash()
    expect(clock.pendingCount).toBe(1)
    probe.actor.stop()
    expect(clock.pendingCount).toBe(0)
    clock.advance(60_000)
    await handled()
    expect(probe.events).toEqual(['start', 'release', 'start', 'release'])
  })

  it('stays stopped, and harms nothing else, when the message that stops it also crashes it', async () => {
    const neighbour = spawnProbe(jobs, 'sports')
    const starts: string[] = []
    const stopping: Actor<Message> = spawnActor<null, Message, string>(
      jobs,
      {
        name: 'matcher',
        initial: () => null,
        step: (_state, { kind }) => [kind],
        perform(effect) {
          starts.push(effect)
          if (effect !== 'crash') return
          stopping.stop()
          throw new Error('a bug')
        },
        start: { kind: 'start' },
        release: () => undefined,
      },
      { clock, log },
    )
    stopping.send({ kind: 'crash' })
    await handled()
    clock.advance(60_000)
    neighbour.note('a')
    await handled()
    expect(starts).toEqual(['start', 'crash'])
    expect(lines.at(-1)).toMatchObject({ msg: 'actor crashed while it was being stopped', actor: 'matcher' })
    expect(neighbour.events).toEqual(['start', 'a 2'])
  })
})

describe('a venue', () => {
  it('restarts all of its actors when one of them keeps crashing, and no actor of another venue or role', async () => {
    const chainTape = spawnProbe(kalshi, 'chain tape kalshi')
    const crashing = spawnProbe(kalshi, 'ingest kalshi')
    const neighbours = [spawnProbe(polymarket, 'ingest polymarket'), spawnProbe(jobs, 'matcher')]
    for (let crash = 1; crash < venueCrashesMax; crash++) {
      await crashing.crash()
      clock.advance(1_000)
      await handled()
    }
    expect(chainTape.events).toEqual(['start'])
    await crashing.crash()
    expect(chainTape.events).toEqual(['start', 'release', 'start'])
    expect(crashing.events.filter((event) => event === 'start')).toHaveLength(venueCrashesMax + 1)
    for (const { events } of neighbours) expect(events).toEqual(['start'])
    expect(restarts.at(-1)).toBe('ingest venue kalshi')
  })

  it('serves again after it was restarted: its actors receive messages by the same references', async () => {
    const crashing = spawnProbe(kalshi, 'ingest kalshi')
    for (let crash = 0; crash < venueCrashesMax; crash++) {
      await crashing.crash()
      clock.advance(1_000)
      await handled()
    }
    crashing.events.length = 0
    crashing.note('a')
    await handled()
    expect(crashing.events).toEqual(['a 2'])
  })

  it('waits longer before each further restart of the whole venue', async () => {
    const crashing = spawnProbe(kalshi, 'ingest kalshi')
    const sibling = spawnProbe(kalshi, 'chain tape kalshi')
    const crashVenue = async (): Promise<void> => {
      for (let crash = 0; crash < venueCrashesMax; crash++) {
        await crashing.crash()
        if (crash < venueCrashesMax - 1) clock.advance(1_000)
        await handled()
      }
    }
    await crashVenue()
    sibling.events.length = 0
    await crashVenue()
    expect(sibling.events).toEqual([])
    clock.advance(100)
    await handled()
    expect(sibling.events).toEqual(['release', 'start'])
  })
})

describe('the process', () => {
  it('restarts a role with everything below it when the role fails, and no other role', async () => {
    const venues = superviseVenue(system, 'outside a role', { clock, log })
    const crashing = spawnProbe(venues, 'a')
    const neighbour = spawnProbe(jobs, 'matcher')
    for (let crash = 0; crash < venueCrashesMax; crash++) {
      await crashing.crash()
      clock.advance(1_000)
      await handled()
    }
    expect(crashing.events.filter((event) => event === 'start')).toHaveLength(venueCrashesMax + 1)
    expect(neighbour.events).toEqual(['start'])
  })

  it('stops every actor of every role, whether it runs or waits for a restart', async () => {
    const running = spawnProbe(kalshi, 'ingest kalshi')
    const waiting = spawnProbe(jobs, 'matcher')
    await waiting.crash()
    await waiting.crash()
    stop(system)
    running.note('late')
    clock.advance(60_000)
    await handled()
    expect(running.events).toEqual(['start'])
    expect(waiting.events.at(-1)).toBe('release')
    expect(clock.pendingCount).toBe(0)
  })
})
