// Caller input that an adapter calculates with: texts of any length, numbers of any kind, invalid keys and signatures. Request schemas
// refuse it or limit its size; what costs CPU time runs once, in the queue for such work.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import { laneCases, laneVenues, type OpenCase } from '#test/support/laneCases'
import { readBody } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import type { LaneContext, LaneExecution } from '#venues/lane'

const long = 60_000
const texts: readonly [name: string, text: string][] = [
  ['digits', '9'.repeat(long)],
  ['a fraction', `0.${'3'.repeat(long)}`],
  ['hex', `0x${'f'.repeat(long)}`],
  ['base64', 'QUFB'.repeat(long / 4)],
  ['letters', 'a'.repeat(long)],
  ['dashes', '-'.repeat(long)],
  ['spaces', ' '.repeat(long)],
  ['begins of keys', '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(long / 32)],
  ['lines', 'a\n'.repeat(long / 2)],
  ['not ASCII', '٣'.repeat(long)],
]
const numbers = [1e308, -1e308, 5e-324, 1e21, -0, 0, -1, 2 ** 53, 0.1 + 0.2, 1e-7]
const odd = [...numbers, '1e9', '-0', '0x10', '1_000', '1,0', '٣', '', ' ', '9'.repeat(40), `0.${'1'.repeat(38)}`]
const strange = [true, null, [], {}, ['0.5'], { value: '0.5' }, Array.from({ length: 5_000 }, () => '9')]
/** The specification has its own codes for one venue. */
const inWords = /^(VALIDATION_ERROR|RAIN_INVALID_[A-Z]+)$/
/** Well-formed signatures of unknown keys: r, s and v. */
const word = (digit: string): string => digit.repeat(64)
const signatures = [
  ...['0', 'f', '7'].flatMap((r) => ['0', 'f', '7'].map((s) => `0x${word(r)}${word(s)}1b`)),
  ...['00', '01', '1c', '1d', 'ff'].map((v) => `0x${word('7')}${word('3')}${v}`),
]

describe.each(laneVenues)('%s', (venue) => {
  const { lane, open, cancelBody, forged } = laneCases[venue]
  let table: OpenCase
  let context: LaneContext
  let order: LaneExecution
  let submitted: JsonObject
  let turns = 0
  beforeAll(async () => {
    table = await open()
    context = {
      ...table.here.world.context,
      async heavy(work) {
        turns++
        return work()
      },
    }
    order = executionOf(await buildOrder(lane, context, table.order))
    submitted = { ...table.credentials, ...(await table.signed(order.unsigned, 'order')) }
  })
  afterAll(() => table.here.close())

  const changes = (): [name: string, schema: z.ZodType, valid: JsonObject][] => {
    if (lane.modify !== undefined) return [['modify', lane.modify.body, { price: '0.5' }]]
    return lane.cancel === undefined ? [] : [['cancel', lane.cancel.body, cancelBody(null)]]
  }
  const schemas = (): [name: string, schema: z.ZodType, valid: JsonObject][] => [
    ['order', lane.order.body, table.order],
    ...changes(),
    ['submit', lane.submit!.body, submitted],
    ['refresh', lane.refresh!.body, readBody(lane, table.credentials)],
  ]

  it('every field of every body refuses a text of any length before parsing it', () => {
    for (const [name, schema, valid] of schemas()) {
      expect([name, schema.safeParse(valid).success]).toEqual([name, true])
      for (const field of Object.keys(valid)) {
        for (const [kind, text] of texts) {
          const { success } = schema.safeParse({ ...valid, [field]: text })
          expect(success, `${name}.${field}: ${kind}`).toBe(false)
        }
        for (const value of strange) {
          const { success } = schema.safeParse({ ...valid, [field]: value })
          // A boolean field accepts a boolean.
          if (typeof value !== typeof valid[field]) expect(success, `${name}.${field}: ${typeof value}`).toBe(false)
        }
      }
    }
  })

  it('builds from numbers of bounded size; refuses all others with a specific error code', async () => {
    for (const field of Object.keys(table.order).filter((name) => /^(price|size|amount|expiresAt)$/.test(name))) {
      for (const value of odd) {
        const parsed = lane.order.body.safeParse({ ...table.order, [field]: value })
        if (!parsed.success) continue
        const built: unknown = await buildOrder(lane, context, { ...table.order, [field]: value }).catch(
          (e: unknown) => e,
        )
        if (built instanceof Error)
          expect([field, value, (built as Fault).code]).toEqual([field, value, expect.stringMatching(inWords)])
        else expect(JSON.stringify(built).length).toBeLessThan(10_000)
      }
    }
    expect(turns).toBe(0)
  })

  it('refuses a signature of an unknown key, for at most one unit of expensive work', async () => {
    if (!('signature' in submitted)) return
    for (const signature of forged ?? signatures) {
      turns = 0
      const send = lane.submit!.body.parse({ ...submitted, signature })
      const refusal: unknown = await lane.submit!.prepare(context, order, send).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Fault)
      expect(refusal).toMatchObject({ code: 'INVALID_SIGNATURE', afterWork: true })
      expect(turns).toBeLessThanOrEqual(1)
    }
  })
})
