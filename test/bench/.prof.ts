import { readFileSync } from 'node:fs'
import { createServer, get, Agent } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createClickhouseTape } from '#history/clickhouseTape'
import { openTestTape } from '#test/support/clickhouse'
import { walkedTops } from './tapeRows.ts'
const tape = await openTestTape()
const { store } = tape
const { batches } = walkedTops(400_000, 4)
for (const b of batches) await tape.insert([b])
const outcomeId = batches[1]!.outcomeId, since = batches[1]!.topOfBook[20_000]!.ts
const eng = () => { const f = readFileSync(`/proc/${store.enginePid()}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10 }
const self = () => { const c = process.cpuUsage(); return (c.user + c.system) / 1000 }
const t = createClickhouseTape(store)
const q = { venue: 'polymarket', outcomeIds: [outcomeId], kind: 'tob' as const, sinceMs: since, untilMs: since + 86_400_000, limit: 20_000, after: null, signal: new AbortController().signal }
async function run(name: string, f: () => Promise<void>, n = 40) {
  for (let i = 0; i < 10; i++) await f()
  const res: [number, number][] = []
  for (let r = 0; r < 3; r++) { const e = eng(), s = self(); for (let i = 0; i < n; i++) await f(); res.push([(eng() - e) / n, (self() - s) / n]) }
  res.sort((a, b) => a[0] + a[1] - b[0] - b[1])
  console.log(name.padEnd(50), 'engine', res[0]![0].toFixed(2), 'self', res[0]![1].toFixed(2))
}
const drain = async (s: AsyncIterable<Uint8Array>) => { let n = 0, c = 0; for await (const x of s) { n += x.length; c++ } return [n, c] }
let sql = '', params: any
const spy = createClickhouseTape({ rows: store.rows, stream: (s, p, g) => { sql = s; params = p; return store.stream(s, p, g) } })
console.log(await drain((await spy.replay(q)).chunks))
const variants: Record<string, string> = { full: sql }
export { sql, params, run, store, drain, q, t }
for (const [name, s] of Object.entries({
  'stream full': sql,
  'FORMAT Null': sql.replace('RawBLOB', 'Null'),
  'no text: sum cols': sql.replace(/SELECT concat[\s\S]*?FROM top_of_book/, "SELECT count() FROM (SELECT t.ts,t.recv_delay,t.seq,t.bid,t.bid_fine,t.bid_size,t.bid_size_fine,t.ask,t.ask_fine,t.ask_size,t.ask_size_fine FROM top_of_book").replace('SETTINGS', ') SETTINGS'),
  'const line': sql.replace(/SELECT concat[\s\S]*?FROM top_of_book/, "SELECT concat(repeat('x', 110), toString(t.ts % 10)) FROM top_of_book"),
  'select 1': "SELECT 1 FORMAT RawBLOB",
})) await run(name, async () => { await drain(await store.stream(s, params)) })
await run('replay cut', async () => { const p = await t.replay(q); await drain(p.chunks); await p.end })
const server = createServer((_req, res) => { void t.replay(q).then((p) => pipeline(p.chunks, res)) })
await new Promise<void>((r) => server.listen(0, '127.0.0.1', r))
const url = `http://127.0.0.1:${(server.address() as any).port}/`
const agent = new Agent({ keepAlive: true })
await run('http', () => new Promise((res) => get(url, { agent }, (r) => { r.on('data', () => {}); r.on('end', res) })))
const page: Buffer[] = []; for await (const c of (await t.replay(q)).chunks) page.push(Buffer.from(c))
const whole = Buffer.concat(page)
const s2 = createServer((_req, res) => { res.end(whole) })
await new Promise<void>((r) => s2.listen(0, '127.0.0.1', r))
const url2 = `http://127.0.0.1:${(s2.address() as any).port}/`
await run('http cached bytes', () => new Promise((res) => get(url2, { agent }, (r) => { r.on('data', () => {}); r.on('end', res) })))
agent.destroy(); server.close(); s2.close(); server.closeAllConnections(); s2.closeAllConnections()
await tape.close()
