import { describe, expect, it } from 'vitest'
import { HeartbeatMonitor, hungLooks, lookEveryMs, startLooks } from '#workers/heartbeatMonitor'

/** Beats 1 to 3, one per check. */
function running() {
  const monitor = new HeartbeatMonitor(0)
  let now = 0
  const look = (beat: number, afterMs = lookEveryMs): boolean => {
    now += afterMs
    return monitor.look(beat, now)
  }
  for (const beat of [1, 2, 3]) expect(look(beat)).toBe(false)
  return { look }
}

describe('the monitor of a thread’s heartbeats', () => {
  it('reports that a thread hangs after six silent checks in a row', () => {
    const { look } = running()
    const looks = Array.from({ length: hungLooks }, () => look(3))
    expect(looks).toEqual([...Array.from({ length: hungLooks - 1 }, () => false), true])
  })

  it('starts to count again with every beat', () => {
    const { look } = running()
    for (let beat = 3; beat < 20; beat++)
      for (let silent = 0; silent < hungLooks - 1; silent++) expect(look(beat + 1)).toBe(false)
  })

  it('counts a suspension of the whole program as one check, however long it lasted and however many checks follow at once', () => {
    const { look } = running()
    expect(look(3, 3_600_000)).toBe(false)
    for (let i = 0; i < 100; i++) expect(look(3, 0)).toBe(false)
    expect(look(4)).toBe(false)
  })

  it('waits longer for the first beat, while the code is loaded', () => {
    const monitor = new HeartbeatMonitor(0)
    for (let look = 1; look < startLooks; look++) expect(monitor.look(0, look * lookEveryMs)).toBe(false)
    expect(monitor.look(0, startLooks * lookEveryMs)).toBe(true)
  })
})
