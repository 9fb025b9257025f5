// The HTTP interface of the embedded engine resolves names in the database of CLICKHOUSE_URL, as a server does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTape, openTape, type TapeStore } from '#storage/clickhouse/client'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'

let server: ClickhouseServer
const open: TapeStore[] = []

async function storeOf(database: string): Promise<TapeStore> {
  const store = await openTape({ url: `${server.url}/${database}`, dataDir: '/nowhere' })
  open.push(store)
  return store
}

const coverageOf = (store: TapeStore) =>
  store.rows<{ outcome_id: string }>('SELECT outcome_id FROM coverage ORDER BY outcome_id FORMAT JSONEachRow')

const insert = (store: TapeStore, outcomeId: string) =>
  store.command(`INSERT INTO coverage (venue, outcome_id, at, kind) VALUES ('kalshi', '${outcomeId}', 1, 'opened')`)

const execute = async (sql: string): Promise<string> => {
  const response = await fetch(server.url, { method: 'POST', body: sql })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

beforeAll(async () => {
  server = await startClickhouseServer({ database: 'crossbook' })
  await execute('CREATE DATABASE other')
})
afterAll(async () => {
  await Promise.all(open.map((store) => store.close()))
  await server?.stop()
})

test('concurrent statements use the tables of their own database on any connection', async () => {
  const [crossbook, other] = await Promise.all([storeOf('crossbook'), storeOf('other')])
  await Promise.all([insert(crossbook, 'here'), insert(other, 'there')])
  const seen = await Promise.all(
    Array.from({ length: 60 }, (_, i) => coverageOf(i % 2 === 0 ? crossbook : other).then(([row]) => row?.outcome_id)),
  )
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'here' : 'there')))
  const tables = 'SELECT count() AS n FROM system.tables WHERE database = currentDatabase() FORMAT JSONEachRow'
  const inDefault = await connectTape({ url: server.url, dataDir: '/nowhere' })
  open.push(inDefault)
  expect(await inDefault.rows(tables)).toEqual([{ n: 0 }])
})

test('inserts rows of a request body into the database of the request', async () => {
  const store = await storeOf('crossbook')
  const rows = Buffer.from('{"venue":"kalshi","outcome_id":"with a body","at":2,"kind":"opened"}\n')
  const target = {
    table: 'coverage',
    columns: ['venue', 'outcome_id', 'at', 'kind'],
    format: 'JSONEachRow',
    within: null,
  }
  await store.insert({ ...target, format: 'JSONEachRow' }, rows, 'token')
  // A repeated insert is compared with the rows in the same database.
  await store.insert({ ...target, format: 'JSONEachRow', within: 'at = 2' }, rows, 'token', true)
  expect((await coverageOf(store)).filter(({ outcome_id }) => outcome_id === 'with a body')).toHaveLength(1)
})

test('accepts any quoted database name', async () => {
  await execute('CREATE DATABASE `an "odd" one`')
  const address = `${server.url}/?database=${encodeURIComponent('an "odd" one')}`
  const response = await fetch(address, { method: 'POST', body: 'SELECT currentDatabase()' })
  expect(await response.text()).toBe('an "odd" one\n')
})

test('rejects an unknown database with its name and ClickHouse’s error code', async () => {
  const response = await fetch(`${server.url}/?database=nowhere`, { method: 'POST', body: 'SELECT 1' })
  expect(await response.text()).toContain('nowhere')
  expect(response.headers.get('x-clickhouse-exception-code')).toBe('81')
  // The connection of the rejected request serves the next one.
  expect(await execute('SELECT 1')).toBe('1\n')
})

test('backs up and restores a database by name', async () => {
  const store = await storeOf('crossbook')
  const before = await coverageOf(store)
  expect(before.length).toBeGreaterThan(0)
  await execute("BACKUP DATABASE crossbook TO File('by-name')")
  await execute('DROP DATABASE crossbook')
  await execute("RESTORE DATABASE crossbook FROM File('by-name')")
  expect(await coverageOf(store)).toEqual(before)
})
