// A signed artifact that is stored for a later submit never appears in plain text: not in a response, a log line, an event or a row.
import { inspect } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import type { Log } from '#core/log'
import { evening } from '#test/support/conditional/book'
import { type ConditionalWorld, openConditionalWorld, signature } from '#test/support/conditional/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
let world: ConditionalWorld | undefined
afterEach(() => world?.close())

it('encrypts the artifact of a hosted order wherever it is stored, and never returns it', async () => {
  const logged: string[] = []
  const here = await openConditionalWorld(pg.pool, { log: keeping(logged) })
  world = here
  const hosted = { fireMode: 'hosted', signedArtifact: { signature } }
  const executionId = await here.built()
  const answers = [
    await here.arm({ executionId, ...hosted }, 'k'),
    await here.arm({ executionId, ...hosted }, 'k'),
    await here.arm({ executionId, ...hosted, fireMode: 'client' }),
    await here.arm({ executionId, ...hosted, signedArtifact: { signature, more: signature } }),
    await here.arm({ executionId: await here.built(), ...hosted, signedArtifact: { signature: `${signature}x` } }),
    await here.arm({ executionId: await here.built('novig'), ...hosted, signedArtifact: { apiSecret: signature } }),
  ]
  const { id } = answers[0]!.json.data
  const other = (await here.arm({ executionId: await here.built(), ...hosted })).json.data.id
  const late = (await here.arm({ executionId: await here.built(), ...hosted })).json.data.id
  await here.triggered(id)
  answers.push(await here.cancelOrder(other), await here.one(id), await here.list(), await here.cancelOrder(id))
  await expectNoCanary(answers.map(({ text }) => text))
  // While the order waits, the row holds the encrypted artifact; at the end it is deleted.
  const [due] = await here.conditionals.claimFiring({
    owner: 'a',
    leaseMs: 60_000,
    limit: 10,
    at: new Date(here.clock.now()),
  })
  const held = (await here.conditionals.readArtifact(id, due!.lease))!
  expect(here.seal.open({ id, executionId }, held)).toEqual({ signature })
  const end = {
    id,
    lease: due!.lease,
    outcome: 'fire_failed',
    lastError: 'no',
    at: new Date(here.clock.now()),
  } as const
  await here.conditionals.settleFire(end)
  await here.conditionals.expireDue({ limit: 10, at: evening })
  const left = await pg.pool.query(
    `SELECT status FROM conditional_orders WHERE sealed IS NOT NULL OR seal_key_id IS NOT NULL OR artifact_sha256 IS NOT NULL`,
  )
  expect(left.rows).toEqual([])
  await expectNoCanary([await here.one(id), await here.one(late), await here.list()].map(({ text }) => text))
  expect(logged.join('')).not.toContain('canary')
})

/** Records every log call completely. */
function keeping(lines: string[]): Log {
  const keep = (...words: unknown[]): void => void lines.push(inspect(words, { depth: null, showHidden: true }))
  const log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep, fatal: keep, child: () => log }
  return log as unknown as Log
}

/** As text, in hex and in base64. */
const encodedCanaries = [
  'canary',
  'canary'
    .split('')
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join(''),
  'Y2FuYXJ5',
  'NhbmFye',
  'jYW5hcn',
]

async function expectNoCanary(answers: readonly string[]): Promise<void> {
  for (const text of answers) for (const word of encodedCanaries) expect(text).not.toContain(word)
  const tables = await pg.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  expect(tables.rows.length).toBeGreaterThan(30)
  for (const { name } of tables.rows) {
    const { rows } = await pg.pool.query(`SELECT t::text FROM "${name}" t WHERE t::text ILIKE ANY ($1)`, [
      encodedCanaries.map((word) => `%${word}%`),
    ])
    expect(rows, name).toEqual([])
  }
}
