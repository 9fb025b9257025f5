// Paper accounts: cash and orders that are filled here, against live books.
import { depositPaperCash, resetPaperAccount } from './routes/changePaperAccount.ts'
import { getPaperAccount } from './routes/getPaperAccount.ts'
import { listPaperFills } from './routes/listPaperFills.ts'
import { cancelPaperOrder, getPaperOrder, listPaperOrders } from './routes/paperOrders.ts'

export type { PaperRouteDeps } from './accounts/ports.ts'

export const paperRoutes = [
  getPaperAccount,
  resetPaperAccount,
  depositPaperCash,
  listPaperOrders,
  getPaperOrder,
  cancelPaperOrder,
  listPaperFills,
] as const
