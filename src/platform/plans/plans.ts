// What each plan includes: the only table. 0 allows none; null means unlimited.
import type { PlanName } from '../auth/principal.ts'

export type { PlanName }

export interface Plan {
  features: {
    replay: boolean
    arbitrage: boolean
    conditionalOrders: boolean
  }
  /** Over all routes, per key. */
  requestsPerMinute: number
  /** Granted to the account once per calendar month, when first needed; null: unlimited. */
  creditsPerMonth: number | null
  /** Concurrent sockets, per key. */
  streamConnections: number
  subscriptionsPerConnection: number
  /** How far back history can be read; null: unlimited. */
  historyDays: number | null
}

export type Plans = Readonly<Record<PlanName, Plan>>
export type Feature = keyof Plan['features']
/** What an operator can change, per plan. */
export type PlanOverrides = Partial<
  Record<PlanName, Partial<Omit<Plan, 'features'>> & { features?: Partial<Plan['features']> }>
>

export const defaultPlans: Plans = {
  free: {
    features: { replay: false, arbitrage: false, conditionalOrders: false },
    requestsPerMinute: 60,
    creditsPerMonth: 50_000,
    streamConnections: 5,
    subscriptionsPerConnection: 50,
    historyDays: 0,
  },
  builder: {
    features: { replay: true, arbitrage: true, conditionalOrders: false },
    requestsPerMinute: 600,
    creditsPerMonth: 1_000_000,
    streamConnections: 20,
    subscriptionsPerConnection: 500,
    historyDays: 90,
  },
  pro: {
    features: { replay: true, arbitrage: true, conditionalOrders: true },
    requestsPerMinute: 3_000,
    creditsPerMonth: 10_000_000,
    streamConnections: 100,
    subscriptionsPerConnection: 2_000,
    historyDays: 366,
  },
  enterprise: {
    features: { replay: true, arbitrage: true, conditionalOrders: true },
    requestsPerMinute: 30_000,
    creditsPerMonth: null,
    streamConnections: 2_000,
    subscriptionsPerConnection: 10_000,
    historyDays: null,
  },
}

/** Cheapest first. */
export const planNames = Object.keys(defaultPlans) as PlanName[]

export function plansWith(overrides: PlanOverrides): Plans {
  const plan = (name: PlanName): Plan => {
    const base = defaultPlans[name]
    return { ...base, ...overrides[name], features: { ...base.features, ...overrides[name]?.features } }
  }
  return Object.fromEntries(planNames.map((name) => [name, plan(name)])) as Record<PlanName, Plan>
}

/** The cheapest plan with a feature, for the refusal's message; null when none has it. */
export const cheapestPlanWith = (plans: Plans, feature: Feature): PlanName | null =>
  planNames.find((name) => plans[name].features[feature]) ?? null
