import { expect, it } from 'vitest'
import { conditionalSteps, isTransition } from '#orders/conditional/transitions'
import { conditionalStatuses, openStatuses } from '#schemas/conditional'

it('allows exactly these transitions, and leaves an end only when a fill is reported late', () => {
  const pairs = conditionalStatuses.flatMap((from) =>
    conditionalStatuses.filter((to) => isTransition(from, to)).map((to) => `${from} → ${to}`),
  )
  expect(pairs).toEqual([
    'armed → triggered',
    'armed → canceled',
    'armed → expired',
    'armed → superseded',
    'triggered → armed',
    'triggered → firing',
    'triggered → fired',
    'triggered → fire_failed',
    'triggered → canceled',
    'triggered → expired',
    'triggered → superseded',
    'firing → armed',
    'firing → fired',
    'firing → fire_failed',
    'firing → superseded',
    'expired → fired',
  ])
  const ends = conditionalStatuses.filter((status) => !(openStatuses as readonly string[]).includes(status))
  const { reportFired, ...others } = conditionalSteps
  for (const { from } of Object.values(others)) for (const end of ends) expect(from).not.toContain(end)
  expect(reportFired.from).toEqual(['triggered', 'expired'])
})
