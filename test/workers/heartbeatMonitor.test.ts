import { describe, expect, it } from 'vitest'
import { HeartbeatMonitor, hungLooks, lookEveryMs, startLooks } from '#workers/heartbeatMonitor'

/** Beats 1 to 3, one per check. */
function running() {
  const monitor = new HeartbeatMonitor(0)
  let now = 0
  const check = (beat: number, afterMs = lookEveryMs): boolean => {
    now += afterMs
    return monitor.look(beat, now)
  }
  for (const beat of [1, 2, 3]) expect(check(beat)).toBe(false)
  return { check }
}

describe('the monitor of a thread’s heartbeats', () => {
  it('reports that a thread hangs after six silent checks in a row', () => {
    const { check } = running()
    const checks = Array.from({ length: hungLooks }, () => check(3))
    expect(checks).toEqual([...Array.from({ length: hungLooks - 1 }, () => false), true])
  })

  it('starts to count again with every beat', () => {
    const { check } = running()
    for (let beat = 3; beat < 20; beat++)
      for (let silent = 0; silent < hungLooks - 1; silent++) expect(check(beat + 1)).toBe(false)
  })

  it('counts a suspension of the whole program as one check, however long it lasted and however many checks follow at once', () => {
    const { check } = running()
    expect(check(3, 3_600_000)).toBe(false)
    for (let i = 0; i < 100; i++) expect(check(3, 0)).toBe(false)
    expect(check(4)).toBe(false)
  })

  it('waits longer for the first beat, while the code is loaded', () => {
    const monitor = new HeartbeatMonitor(0)
    for (let check = 1; check < startLooks; check++) expect(monitor.look(0, check * lookEveryMs)).toBe(false)
    expect(monitor.look(0, startLooks * lookEveryMs)).toBe(true)
  })
})
