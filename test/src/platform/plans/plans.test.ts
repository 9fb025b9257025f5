import { expect, test } from 'vitest'
import { cheapestPlanWith, defaultPlans, planNames, plansWith } from '#platform/plans/plans'

test('replay and arbitrage begin with builder, conditional orders with pro', () => {
  expect(cheapestPlanWith(defaultPlans, 'replay')).toBe('builder')
  expect(cheapestPlanWith(defaultPlans, 'arbitrage')).toBe('builder')
  expect(cheapestPlanWith(defaultPlans, 'conditionalOrders')).toBe('pro')
})

test('a more expensive plan never includes less', () => {
  for (const [i, name] of planNames.entries()) {
    const cheaper = defaultPlans[planNames[Math.max(0, i - 1)]!]
    const plan = defaultPlans[name]
    for (const limit of ['requestsPerMinute', 'streamConnections', 'subscriptionsPerConnection'] as const) {
      expect(plan[limit]).toBeGreaterThanOrEqual(cheaper[limit])
    }
    expect(plan.historyDays ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
      cheaper.historyDays ?? Number.POSITIVE_INFINITY,
    )
    for (const feature of ['replay', 'arbitrage', 'conditionalOrders'] as const) {
      expect(Number(plan.features[feature])).toBeGreaterThanOrEqual(Number(cheaper.features[feature]))
    }
  }
})

test('an override changes what it names and nothing else', () => {
  const plans = plansWith({ free: { requestsPerMinute: 5, features: { replay: true } } })
  expect(plans.free).toEqual({
    ...defaultPlans.free,
    requestsPerMinute: 5,
    features: { ...defaultPlans.free.features, replay: true },
  })
  expect(plans.pro).toEqual(defaultPlans.pro)
  expect(defaultPlans.free.requestsPerMinute).not.toBe(5)
  expect(cheapestPlanWith(plansWith({}), 'replay')).toBe('builder')
})
