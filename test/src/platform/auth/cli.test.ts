import { expect, test } from 'vitest'
import { keysCreate, keysList, keysRevoke, keysRotate } from '#platform/auth/cli'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const word = (lines: string[], name: string) => lines.find((line) => line.startsWith(`${name} `))!.split(/ +/)[1]!

test('create prints the key once; list, rotate and revoke never print an old one', async () => {
  expect(await keysList(postgres.pool)).toEqual(['no keys'])
  const created = await keysCreate(postgres.pool, { account: 'acme', plan: 'pro', scopes: 'read,trade' })
  const key = word(created, 'key')
  const id = word(created, 'id')
  expect(key).toMatch(/^xb_live_/)

  const listed = (await keysList(postgres.pool, { account: 'acme' })).join('\n')
  expect(listed).toMatch(new RegExp(`${id}\\s+acme\\s+xb_live_\\w{8}\\s+pro\\s+read,trade\\s+\\S+\\s+never\\s+live`))
  expect(listed).not.toContain(key)

  const rotated = await keysRotate(postgres.pool, id)
  expect(rotated.at(-1)).toBe(`revoked ${id}`)
  expect(rotated.join()).not.toContain(key)
  const next = word(rotated, 'id')
  expect(await keysRevoke(postgres.pool, next)).toEqual([`revoked ${next}`])
  const states = (await keysList(postgres.pool)).slice(1)
  expect(states.every((line) => line.includes('revoked 2'))).toBe(true)
})

test('without options it is a free key with read scope', async () => {
  const created = await keysCreate(postgres.pool, {})
  expect(created).toEqual(expect.arrayContaining(['account default', 'plan    free', 'scopes  read']))
})

test('refuses wrong options and lists the valid ones', async () => {
  await expect(keysCreate(postgres.pool, { plan: 'gold' })).rejects.toThrow('free, builder, pro, enterprise')
  await expect(keysCreate(postgres.pool, { scopes: 'read,owner' })).rejects.toThrow('read, trade')
  await expect(keysRevoke(postgres.pool, 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(keysRotate(postgres.pool, 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(keysRotate(postgres.pool, 'nothing', { grace: 'soon' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})
