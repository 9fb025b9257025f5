// The cash, positions and working orders of a paper account.
import { Fault } from '#core/fault'
import { PaperAccount, paperWorkingOrdersMax } from '#schemas/paper'
import { defineRoute } from '#server/http/defineRoute'
import { plain } from '#storage/postgres/paper/cash'
import type { PaperRouteDeps } from '../accounts/ports.ts'
import { balanceOf, paperCallerOf, positionOf, tag } from './shapes.ts'

export const getPaperAccount = defineRoute({
  operationId: 'getPaperAccount',
  method: 'get',
  path: '/v1/paper/account',
  access: { scope: 'read', credits: 1 },
  summary: 'Cash by venue and currency, positions, and the number of working orders of a paper account',
  tag,
  data: PaperAccount,
  errors: ['PERMISSION_DENIED', 'EXEC_UNAVAILABLE'],
  handle: async (input, { paper }: PaperRouteDeps) => ({
    data: await readPaperAccount(paper, paperCallerOf(input).accountId),
  }),
})

export async function readPaperAccount(
  { store, settings }: Pick<PaperRouteDeps['paper'], 'store' | 'settings'>,
  accountId: string,
): Promise<PaperAccount> {
  const [account, balances, positions, workingOrders] = await Promise.all([
    store.findAccount(accountId),
    store.listBalances(accountId),
    store.listPositions(accountId),
    store.countWorking(accountId),
  ])
  if (account === null) throw new Fault('UNAUTHORIZED', 'the account of this key no longer exists')
  return {
    accountId,
    startCash: plain(settings.startCash),
    balances: balances.map(balanceOf),
    positions: positions.map(positionOf),
    workingOrders,
    workingOrdersMax: paperWorkingOrdersMax,
    resets: account.resets,
    createdAt: account.created_at.toISOString(),
  }
}
