// The router: one order over several venues, and the legs of an arbitrage, planned on live books and kept as one group.
import { routerArbitrage, routerStructure } from './routes/routerArbitrage.ts'
import { closeRouterGroup, getRouterGroup, listRouterGroups } from './routes/routerGroups.ts'
import { routerPlan } from './routes/routerPlan.ts'

export { createRouterBooks } from './books.ts'
export type { RouterDeps, RouterRouteDeps } from './ports.ts'

export const routerRoutes = [
  routerPlan,
  routerArbitrage,
  routerStructure,
  listRouterGroups,
  getRouterGroup,
  closeRouterGroup,
] as const
