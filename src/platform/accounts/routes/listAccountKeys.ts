// Lists the account's keys: enough to recognize each, never the key or its hash.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { AccountKey } from '#schemas/account'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { AccountsDeps } from '../ports.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200

export const listAccountKeys = defineRoute({
  operationId: 'listAccountKeys',
  method: 'get',
  path: '/v1/account/keys',
  access: { scope: 'read', credits: 0 },
  summary: 'The account’s keys, newest first, revoked ones too; never the key itself',
  tag: 'account',
  query: z.object({
    cursor: z.uuid().optional().describe('meta.nextCursor of the page before'),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(AccountKey),
  topLevelFields: { meta: z.object({ nextCursor: z.uuid().nullable() }) },
  async handle({ principal, query: { cursor, limit } }, { accounts }: AccountsDeps) {
    const { accountId } = principal!
    const rows = await accounts.keys({ accountId, after: cursor ?? null, limit: limit + 1 })
    if (rows === null) throw new Fault('VALIDATION_ERROR', 'cursor is not valid for this account: start without it')
    const page = rows.slice(0, limit)
    const data: AccountKey[] = page.map(({ keyId, prefix, plan, scopes, createdAt, lastUsedDay, revokedAt, live }) => ({
      keyId,
      prefix,
      plan,
      scopes,
      live,
      createdAt: createdAt.toISOString(),
      lastUsedDay,
      revokedAt: revokedAt?.toISOString() ?? null,
    }))
    return { data, siblings: { meta: { nextCursor: rows.length > limit ? page.at(-1)!.keyId : null } } }
  },
})
