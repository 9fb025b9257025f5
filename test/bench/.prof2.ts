import { readFileSync } from 'node:fs'
import { createClickhouseTape } from '#history/clickhouseTape'
import { openTestTape } from '#test/support/clickhouse'
import { walkedTops } from './tapeRows.ts'
const tape = await openTestTape()
const { store } = tape
const { batches } = walkedTops(400_000, 4)
for (const b of batches) await tape.insert([b])
const outcomeId = batches[1]!.outcomeId, since = batches[1]!.topOfBook[20_000]!.ts
const eng = () => { const f = readFileSync(`/proc/${store.enginePid()}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10 }
const q = { venue: 'polymarket', outcomeIds: [outcomeId], kind: 'tob' as const, sinceMs: since, untilMs: since + 86_400_000, limit: 20_000, after: null, signal: new AbortController().signal }
let sql = '', params: any
const drain = async (s: AsyncIterable<Uint8Array>) => { const l: Buffer[] = []; for await (const x of s) l.push(Buffer.from(x)); return Buffer.concat(l) }
const spy = createClickhouseTape({ rows: store.rows, stream: (s, p, g) => { sql = s; params = p; return store.stream(s, p, g) } })
await drain((await spy.replay(q)).chunks)
const dec = (x: string, bits = 64) => `toString(reinterpret(toInt${bits}(${x}), 'Decimal(${bits === 64 ? 18 : 9}, 6)'))`
const nn = (c: string, s: string) => `if(t.${c} = 65535, 'null', ${s})`
const line = (p: (c: string) => string, s: (c: string) => string, sel = '') => `SELECT concat('{"k":"tob","ts":', toString(t.ts), ',"bid":', ${nn('bid', p('bid'))}, ',"bidSize":', ${nn('bid', s('bid'))}, ',"ask":', ${nn('ask', p('ask'))}, ',"askSize":', ${nn('ask', s('ask'))}, ',"recvTs":', toString(t.ts + t.recv_delay), ',"seq":', toString(t.seq), '}\\n') AS line `
const tail = sql.slice(sql.indexOf('FROM top_of_book'))
const P = (c: string) => `t.${c} * 100 + t.${c}_fine`, S = (c: string) => `t.${c}_size * 10000 + t.${c}_size_fine`
const set = (x: string) => sql.replace('SETTINGS ', `SETTINGS ${x}, `)
const variants: Record<string, string> = {
  now: sql,
  no_prewhere: set('optimize_move_to_prewhere = 0'),
  old_analyzer: set('enable_analyzer = 0'),
  pread: set("local_filesystem_read_method = 'pread'"),
  mmap: set("local_filesystem_read_method = 'mmap'"),
  uncompressed: set('use_uncompressed_cache = 1'),
  nojit: set('compile_expressions = 0'),
  no_order: set('optimize_read_in_order = 0'),
  noprof: set('query_profiler_real_time_period_ns = 0, query_profiler_cpu_time_period_ns = 0, log_queries = 0, memory_profiler_step = 0, max_untracked_memory=134217728'),
  bs65k: sql.replace('max_block_size = 8192', 'max_block_size = 65409'),
  short: sql.replace(", short_circuit_function_evaluation = 'disable'", ''),
  noif: sql.replace(/if\(t\.\w+ = 65535, 'null', (toString\(\(.*?\) \/ 1000000\))\)/g, '$1'),
  plain_cols: sql.replace(/SELECT concat[\s\S]*?AS line/, 'SELECT count()').replace(/ORDER BY[\s\S]*?TIES/, ''),
  limit_only: sql.replace(/SELECT concat[\s\S]*?AS line/, 'SELECT t.ts, t.recv_delay, t.seq').replace('RawBLOB', 'Null'),
  all_null: sql.replace(/SELECT concat[\s\S]*?AS line/, 'SELECT t.ts, t.recv_delay, t.seq, t.bid, t.bid_fine, t.bid_size,t.bid_size_fine,t.ask,t.ask_fine,t.ask_size,t.ask_size_fine').replace('RawBLOB', 'Null'),
  null_fmt: sql.replace('RawBLOB', 'Null'),
  jsoneach: sql.replace(/SELECT concat[\s\S]*?AS line/, `SELECT 'tob' AS k, t.ts AS ts, (t.bid*100+t.bid_fine)/1000000 AS bid, (t.bid_size*10000+t.bid_size_fine)/1000000 AS bidSize, (t.ask*100+t.ask_fine)/1000000 AS ask, (t.ask_size*10000+t.ask_size_fine)/1000000 AS askSize, t.ts+t.recv_delay AS recvTs, t.seq AS seq`).replace('RawBLOB', 'JSONEachRow'),
  one: 'SELECT 1 FORMAT RawBLOB',
}
console.log(sql)
const ref = (await drain(await store.stream(sql, params))).toString()
for (const [n, s] of Object.entries(variants)) { try { const got = (await drain(await store.stream(s, params))).toString(); console.log(n, got === ref, got.length) } catch (e) { console.log(n, String(e).slice(0, 200)); delete variants[n] } }
const best: Record<string, number> = {}
for (let r = 0; r < 6; r++) for (const [n, s] of Object.entries(variants)) { const e = eng(); for (let i = 0; i < 10; i++) await drain(await store.stream(s, params)); const ms = (eng() - e) / 10; best[n] = Math.min(best[n] ?? 1e9, ms) }
console.log(best)
await tape.close()
