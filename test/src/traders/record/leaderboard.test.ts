import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { refreshLeaderboards } from '#traders/record/leaderboard'

it('reads a leaderboard once per five seconds for all callers, and again after a failure', async () => {
  const clock = new ManualClock()
  const read: string[] = []
  let fails = false
  const board = refreshLeaderboards(async (venues) => {
    read.push(venues.join('+'))
    if (fails) throw new Error('down')
    return []
  }, clock)
  await Promise.all([board(['rain', 'xo']), board(['xo', 'rain']), board(['rain'])])
  expect(read).toEqual(['rain+xo', 'rain'])
  clock.advance(4_999)
  await board(['rain'])
  expect(read.length).toBe(2)
  clock.advance(1)
  fails = true
  await expect(board(['rain'])).rejects.toThrow('down')
  fails = false
  await board(['rain'])
  expect(read.length).toBe(4)
})
