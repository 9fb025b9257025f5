// Fault 22: what requests with one idempotency key can result in.
import { describe, expect, it } from 'vitest'
import type { Reply } from '#test/src/server/http/world'
import { executionSuite, idOf, refused, untilAnswered } from '#test/support/execution/suite'

const { worldOf, count } = executionSuite()

/** All return 200, and all but the first are replays. The first may have been written although its caller got a 503. */
async function atOnce(count: number, ask: () => Promise<Reply>): Promise<Reply[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => untilAnswered(ask)))
  const replies = answers.map(({ reply }) => reply)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const fresh = replies.filter(({ headers }) => headers['idempotency-replay'] !== 'true').length
  if (answers.every(({ repeats }) => repeats === 0)) expect(fresh).toBe(1)
  else expect(fresh).toBeLessThanOrEqual(1)
  return replies
}

describe('fault 22: idempotency', () => {
  it('writes one row for 200 concurrent requests with one key, and 199 of them are equal replays', async () => {
    const world = await worldOf()
    const replies = await atOnce(200, () => world.build('same'))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await count(`outbox WHERE payload->>'executionId' = $1`, [idOf(replies[0]!)])).toBe(1)
  }, 60_000)

  it.each(['cancel', 'modify'] as const)('writes one row for 50 concurrent %ss with one key', async (verb) => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    const replies = await atOnce(50, () => world[verb](id, 'same'))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await count('executions WHERE target_id = $1', [id])).toBe(1)
  })

  it.each([
    [undefined, 'IDEMPOTENCY_KEY_REQUIRED'],
    ['', 'IDEMPOTENCY_KEY_REQUIRED'],
    ['🙂', 'VALIDATION_ERROR'],
    ['clé', 'VALIDATION_ERROR'],
    ['a\tb', 'VALIDATION_ERROR'],
    ['undefined', 'VALIDATION_ERROR'],
    ['null', 'VALIDATION_ERROR'],
    ['cond:x', 'RESERVED_IDEMPOTENCY_KEY'],
    ['dry-run:x', 'RESERVED_IDEMPOTENCY_KEY'],
    ['k'.repeat(10_240), 'VALIDATION_ERROR'],
  ])('rejects the key %s on every keyed route and writes nothing', async (key, code) => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    for (const [path, body] of [
      ['build', { size: 5 }],
      [`${id}/submit`, { apiSecret: 'x' }],
      [`${id}/cancel`, {}],
      [`${id}/modify`, { size: 6 }],
    ] as const)
      expect(refused(await world.post(path, body, key)), path).toEqual([400, code])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(2)
  })

  it.each(['COND:x', 'a b~', 'Undefined'])('accepts the key %s', async (key) => {
    expect((await (await worldOf()).build(key)).status).toBe(200)
  })

  it('rejects another body under the same key; the same key of another account is independent', async () => {
    const world = await worldOf()
    const first = await world.build('k')
    expect(refused(await world.build('k', { size: 6 }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    world.actAs(await world.newAccount())
    const other = await world.build('k', { size: 6 })
    expect(other.status).toBe(200)
    expect(idOf(other)).not.toBe(idOf(first))
  })

  it('a dry run requires a key, binds none, and writes nothing', async () => {
    const world = await worldOf()
    expect(refused(await world.post('build', { size: 5, dryRun: true }))).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    expect((await world.build('k', { size: 5, dryRun: true })).json).toMatchObject({
      dryRun: true,
      data: { status: 'built' },
    })
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(0)
    expect((await world.build('k')).headers['idempotency-replay']).toBeUndefined()
  })

  it('a dry run under a used key is still a preview: it is neither looked up nor replayed', async () => {
    const world = await worldOf()
    const kept = await world.build('k')
    const preview = await world.build('k', { size: 9, dryRun: true })
    expect(preview.headers['idempotency-replay']).toBeUndefined()
    expect(preview.json.data.unsigned.size).toBe(9)
    expect(idOf(preview)).not.toBe(idOf(kept))
    expect(refused(await world.get(`/v1/exec/executions/${idOf(preview)}`))).toEqual([404, 'EXECUTION_NOT_FOUND'])
  })

  it('a key of a build, of a cancel and of a submit are three keys', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('k'))
    expect((await world.submit(id, 'k')).json.data.status).toBe('acked')
    expect((await world.cancel(id, 'k')).json.data.intent).toBe('cancel')
  })

  it('a cancel and a modify reject their key for another target', async () => {
    const world = await worldOf()
    const [a, b] = [idOf(await world.build('a')), idOf(await world.build('b'))]
    for (const id of [a, b]) await world.submit(id, `s${id}`)
    for (const verb of ['cancel', 'modify'] as const) {
      await world[verb](a, 'k')
      expect(refused(await world[verb](b, 'k'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    }
    await world.submit(idOf(await world.build('c')), 'k')
    expect(refused(await world.submit(a, 'k'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })
})
