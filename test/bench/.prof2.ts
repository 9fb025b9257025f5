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

const cols = (p: (c: string) => string, z: (c: string) => string) => sql.replace(/SELECT concat[\s\S]*?AS line/, `SELECT t.ts AS a, ${p('bid')} AS b, ${z('bid')} AS c, ${p('ask')} AS d, ${z('ask')} AS e, t.ts+t.recv_delay AS f, t.seq AS g`)
const templ = (x: string) => x.replace('SETTINGS ', `SETTINGS format_template_row_format = '{"k":"tob","ts":\${a:JSON},"bid":\${b:JSON},"bidSize":\${c:JSON},"ask":\${d:JSON},"askSize":\${e:JSON},"recvTs":\${f:JSON},"seq":\${g:JSON}}\n', format_template_resultset_format = '\${data}', format_template_rows_between_delimiter = '', `).replace('RawBLOB', 'Template')
const fl = (c: string, x: string) => `if(t.${c} = 65535, NULL, (${x}) / 1000000)`
const de = (c: string, x: string, bits: number) => `if(t.${c} = 65535, NULL, reinterpret(toInt${bits}(${x}), 'Decimal(${bits === 64 ? 18 : 9}, 6)'))`
const variants: Record<string, string> = {
  now: sql,
  templ: templ(cols((c) => fl(c, P(c)), (c) => fl(c, S(c)))),
  templ_nonull: templ(cols((c) => '('+P(c)+')/1000000', (c) => '('+S(c)+')/1000000')),
  templ_dec: templ(cols((c) => de(c, P(c), 32), (c) => de(c, S(c), 64))).replace('SETTINGS ', 'SETTINGS output_format_decimal_trailing_zeros = 0, '),
  templ_dec_f: templ(cols((c) => fl(c, P(c)), (c) => de(c, S(c), 64))),
  templ_null: templ(cols((c) => fl(c, P(c)), (c) => fl(c, S(c)))).replace('FORMAT Template', 'FORMAT Null'),
  csep: cols((c) => fl(c, P(c)), (c) => fl(c, S(c))).replace('RawBLOB', 'TSV'),
}
console.log(sql)
const ref = (await drain(await store.stream(sql, params))).toString()
for (const [n, s] of Object.entries(variants)) { try { const got = (await drain(await store.stream(s, params))).toString(); console.log(n, got === ref, got.length) } catch (e) { console.log(n, String(e).slice(0, 200)); delete variants[n] } }
const best: Record<string, number> = {}
for (let r = 0; r < 6; r++) for (const [n, s] of Object.entries(variants)) { const e = eng(); for (let i = 0; i < 10; i++) await drain(await store.stream(s, params)); const ms = (eng() - e) / 10; best[n] = Math.min(best[n] ?? 1e9, ms) }
console.log(best)
await tape.close()
