// Resets a paper account, and pays cash into it.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { compareDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import { PaperAccount } from '#schemas/paper'
import { venueCurrencies } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import { TradedVenue } from '#server/http/venueName'
import type { PaperRouteDeps } from '../accounts/ports.ts'
import { readPaperAccount } from './getPaperAccount.ts'
import { paperCallerOf, tag } from './shapes.ts'

/** Of one deposit, and of the cash in one currency at one venue after it. */
const depositMax = '1000000'
const cashMax = '10000000'

export const resetPaperAccount = defineRoute({
  operationId: 'resetPaperAccount',
  method: 'post',
  path: '/v1/paper/account/reset',
  access: { scope: 'trade', credits: 1 },
  summary: 'Cancels all orders of a paper account, gives up its positions, and sets its cash to the start amount',
  tag,
  body: z.strictObject({ confirm: z.literal(true) }).meta({ examples: [{ confirm: true }] }),
  data: PaperAccount,
  errors: ['PERMISSION_DENIED', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const caller = paperCallerOf(input)
    const { store, settings, clock, newId } = paper
    await store.reset({ ...caller, id: newId(), startCash: settings.startCash, at: new Date(clock.now()) })
    return { data: await readPaperAccount(paper, caller.accountId) }
  },
})

const DepositBody = z
  .strictObject({
    venue: TradedVenue,
    /** Symbol, as in the account’s balances; absent: the one that the catalog does not name. */
    currency: z.string().min(1).max(40).optional(),
    amount: z.string().regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be a plain decimal number, with at most six decimals'),
  })
  .meta({ examples: [{ venue: 'kalshi', currency: 'USD', amount: '500' }] })

const currencies: Readonly<Record<string, readonly string[] | null>> = venueCurrencies

/** Each currency of a venue is a balance of its own, so only known ones are taken. */
async function checkCurrency(
  paper: PaperRouteDeps['paper'],
  accountId: string,
  venue: string,
  currency: string,
): Promise<void> {
  if (currency === '') return
  const known = currencies[venue] ?? null
  if (known?.includes(currency)) return
  const { balances } = await readPaperAccount(paper, accountId)
  if (balances.some((balance) => balance.venue === venue && balance.currency === currency)) return
  const what = known === null ? 'one that the account has there' : known.join(' or ')
  throw new Fault('VALIDATION_ERROR', `currency: must be ${what}`)
}

export const depositPaperCash = defineRoute({
  operationId: 'depositPaperCash',
  method: 'post',
  path: '/v1/paper/account/deposit',
  access: { scope: 'trade', credits: 1 },
  keyed: true,
  summary: 'Pays cash into a paper account at one venue',
  tag,
  body: DepositBody,
  data: PaperAccount,
  errors: ['PERMISSION_DENIED', 'EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const caller = paperCallerOf(input)
    const { store, settings, clock, newId } = paper
    const { venue, currency = '', amount } = input.body
    const cash = readDecimal(amount)!
    if (compareDecimals(cash, '0') <= 0 || compareDecimals(cash, depositMax) > 0)
      throw new Fault('VALIDATION_ERROR', `amount: must be above 0, and at most ${depositMax}`)
    await checkCurrency(paper, caller.accountId, venue, currency)
    const result = await store.deposit({
      ...caller,
      ...{ venue, currency, cashMax, amount: cash },
      id: newId(),
      key: input.idempotencyKey!,
      bodySha256: createHash('sha256')
        .update(JSON.stringify([venue, currency, cash]))
        .digest(),
      startCash: settings.startCash,
      at: new Date(clock.now()),
    })
    if (result.kind === 'key_taken')
      throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')
    if (result.kind === 'too_much')
      throw new Fault('VALIDATION_ERROR', `amount: the account has ${result.cash} there, and may have ${cashMax}`)
    const data = await readPaperAccount(paper, caller.accountId)
    return { data, ...(result.kind === 'replayed' && { headers: { 'idempotency-replay': 'true' } }) }
  },
})
