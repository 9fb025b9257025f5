// Lists, sets and removes the risk limits of any account.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { OnBreach, RiskLimitKind, RiskLimitValue, StoredRiskLimit } from '#schemas/riskLimits'
import { defineRoute } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import { checkLimitScope, checkLimitValue } from '../change.ts'
import type { RiskRouteDeps } from '../ports.ts'
import { limitOf } from '../rows.ts'

/** Of every account: only keys that an operator has given this scope may change limits. */
const access = { scope: 'admin', credits: 0 } as const
const path = '/v1/admin/risk-limits'
const tag = 'execution'
const errors = ['NOT_FOUND', 'VENUE_NOT_SUPPORTED', 'EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'] as const

const Scope = z.strictObject({
  accountId: z.uuid(),
  /** Absent: all keys of the account together. */
  keyId: z.uuid().optional(),
  /** Absent: all venues together. */
  venue: VenueName.optional(),
  kind: RiskLimitKind,
})
const example = { accountId: '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11', venue: 'kalshi', kind: 'openNotional' }

export const listRiskLimits = defineRoute({
  operationId: 'listRiskLimits',
  method: 'get',
  path,
  access,
  summary: 'The risk limits of an account, or of all accounts',
  tag,
  query: z.strictObject({ accountId: z.uuid().optional() }),
  data: z.array(StoredRiskLimit),
  errors: ['EXEC_UNAVAILABLE'],
  handle: async ({ query: { accountId } }, { risk: { store } }: RiskRouteDeps) => ({
    data: (await store.list(accountId ?? null)).map((row) => ({
      ...limitOf(row),
      account: row.account,
      setBy: row.set_by,
    })),
  }),
})

export const setRiskLimit = defineRoute({
  operationId: 'setRiskLimit',
  method: 'put',
  path,
  access,
  summary: 'Sets or replaces a risk limit: after the response, no order is sent that it refuses',
  tag,
  body: Scope.extend({ value: RiskLimitValue, onBreach: OnBreach.default('refuse') }).meta({
    examples: [{ ...example, value: '500', onBreach: 'halt' }],
  }),
  data: StoredRiskLimit,
  errors,
  async handle({ body: { onBreach, value, ...body }, principal }, { risk: { store, clock } }: RiskRouteDeps) {
    const scope = scopeOf(body)
    checkLimitValue({ ...scope, value })
    await checkLimitScope(store, scope)
    const by = principal!.keyId
    const row = await store.set({ ...scope, value, onBreach, by, at: new Date(clock.now()) })
    const account = await store.findAccount(scope.accountId)
    return { data: { ...limitOf(row), account: account?.name ?? '', setBy: row.set_by } }
  },
})

export const removeRiskLimit = defineRoute({
  operationId: 'removeRiskLimit',
  method: 'delete',
  path,
  access,
  summary: 'Removes a risk limit',
  tag,
  body: Scope.meta({ examples: [example] }),
  data: z.null(),
  errors,
  async handle({ body, principal }, { risk: { store, clock } }: RiskRouteDeps) {
    const scope = scopeOf(body)
    const isRemoved = await store.remove({ ...scope, by: principal!.keyId, at: new Date(clock.now()) })
    if (!isRemoved) throw new Fault('NOT_FOUND', 'there is no such limit')
    return { data: null }
  },
})

const scopeOf = ({ accountId, keyId, venue, kind }: z.output<typeof Scope>) => ({
  accountId,
  keyId: keyId ?? null,
  venue: venue ?? null,
  kind,
})
