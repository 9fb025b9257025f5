import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ArbitrageMessage,
  type ArbitrageState,
  calmMs,
  initialArbitrageState,
  stepArbitrage,
} from '#actors/arbitrage/step'

const pace = { intervalMs: 3_000, heartbeatMs: 30_000 }
const full: ArbitrageMessage = { kind: 'passed', full: true }
const some: ArbitrageMessage = { kind: 'passed', full: false }
const out: ArbitrageMessage = { kind: 'published', ok: true }

function run(state: ArbitrageState, ...messages: ArbitrageMessage[]) {
  return messages.flatMap((message) => stepArbitrage(pace, state, message))
}

describe('the arbitrage actor', () => {
  it('starts with a snapshot, after the first full pass and not before', () => {
    const state = initialArbitrageState()
    expect(run(state, { kind: 'start' })).toEqual([{ kind: 'startEngine' }])
    expect(run(state, some, { kind: 'tick' })).toEqual([])
    expect(run(state, full)).toEqual([{ kind: 'publish', snapshot: true, pass: true }])
  })

  it('runs one publication at a time and keeps what arrives meanwhile', () => {
    const state = initialArbitrageState()
    run(state, { kind: 'start' }, full)
    expect(run(state, some, some, full)).toEqual([])
    expect(run(state, out)).toEqual([{ kind: 'publish', snapshot: false, pass: true }])
    expect(run(state, out)).toEqual([])
  })

  it('requests a full pass each interval and sends a full snapshot with the tenth', () => {
    const state = initialArbitrageState()
    run(state, { kind: 'start' }, full, out)
    const snapshots: boolean[] = []
    for (let tick = 1; tick <= 20; tick++) {
      expect(run(state, { kind: 'tick' })).toEqual([{ kind: 'requestPass' }])
      for (const effect of run(state, some, out, full)) if (effect.kind === 'publish') snapshots.push(effect.snapshot)
      run(state, out)
    }
    expect(snapshots.flatMap((snapshot, at) => (snapshot ? [at] : []))).toEqual([19, 39])
  })

  it('withholds rows when the worker is lost, restarts it immediately, and resumes with a snapshot', () => {
    const state = initialArbitrageState()
    run(state, { kind: 'start' }, full, out)
    expect(run(state, { kind: 'failed', reason: 'threw' })).toEqual([
      { kind: 'withhold', reason: 'threw' },
      { kind: 'startEngine' },
    ])
    expect(run(state, some, { kind: 'tick' })).toEqual([])
    expect(run(state, full)).toEqual([{ kind: 'publish', snapshot: true, pass: true }])
  })

  it('waits longer before each restart that fails again', () => {
    const state = initialArbitrageState()
    run(state, { kind: 'start' })
    const failed: ArbitrageMessage = { kind: 'failed', reason: 'no code' }
    expect(run(state, failed)[1]).toEqual({ kind: 'startEngine' })
    const delays = Array.from({ length: 7 }, () => run(state, failed, { kind: 'restart' })).map((effects) => effects[1])
    expect(delays[0]).toEqual({ kind: 'restartLater', delayMs: 200 })
    expect(delays.at(-1)).toEqual({ kind: 'restartLater', delayMs: 5_000 })
  })

  it('waits longer before each restart of a worker that fails soon after a full pass, but not after a stable period', () => {
    const state = initialArbitrageState()
    const failed: ArbitrageMessage = { kind: 'failed', reason: 'no heartbeat' }
    run(state, { kind: 'start' }, full, out)
    expect(run(state, failed)[1]).toEqual({ kind: 'startEngine' })
    const delays = [1, 2, 3].map(() => run(state, { kind: 'restart' }, full, out, failed).at(-1))
    expect(delays).toEqual([200, 400, 800].map((delayMs) => ({ kind: 'restartLater', delayMs })))
    run(state, { kind: 'restart' }, full, out)
    for (let ms = 0; ms < calmMs; ms += pace.intervalMs) run(state, { kind: 'tick' })
    expect(run(state, failed)[1]).toEqual({ kind: 'startEngine' })
  })

  it('never publishes while the worker is lost, nor twice at once, in any order of messages', () => {
    const any = fc.constantFrom<ArbitrageMessage>(
      full,
      some,
      out,
      { kind: 'tick' },
      { kind: 'failed', reason: 'x' },
      { kind: 'restart' },
      { kind: 'published', ok: false },
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (messages) => {
        const state = initialArbitrageState()
        run(state, { kind: 'start' })
        let publishing = false
        let first = true
        for (const message of messages) {
          if (message.kind === 'published') publishing = false
          for (const effect of run(state, message)) {
            if (effect.kind === 'withhold') first = true
            if (effect.kind !== 'publish') continue
            expect(publishing).toBe(false)
            expect(state.engine).toBe('up')
            if (first) expect(effect.snapshot).toBe(true)
            publishing = true
            first = false
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
