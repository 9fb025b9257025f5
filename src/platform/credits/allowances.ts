// The plans' monthly credits, as the books need them.
import type { Allowances } from '#storage/postgres/credits/grantMonthlyAllowance'
import { type Plans, planNames } from '../plans/plans.ts'

export const allowancesOf = (plans: Plans): Allowances =>
  Object.fromEntries(planNames.map((name) => [name, plans[name].creditsPerMonth]))
