// What plans include a month, as the books need it.
import type { Allowances } from '#storage/postgres/credits/giveIncluded'
import { type Plans, planNames } from '../plans/plans.ts'

export const allowancesOf = (plans: Plans): Allowances =>
  Object.fromEntries(planNames.map((name) => [name, plans[name].creditsPerMonth]))
