import { readFileSync } from 'node:fs'
import { openTestTape } from '#test/support/clickhouse'
import { walkedTops } from '#test/bench/tapeRows'
import { createClickhouseTape } from '#history/clickhouseTape'
const t = await openTestTape(); const tape=createClickhouseTape(t.store)
const cpu=(pid:number)=>{const s=readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' ');return [(Number(s[11]))*10,Number(s[12])*10]}
const set=walkedTops(400_000,4);for(const b of set.batches)await t.insert([b])
const O=set.batches[1]!.outcomeId, since=set.batches[1]!.topOfBook[20000]!.ts
const W=`FROM top_of_book AS t WHERE t.venue='polymarket' AND t.outcome_id={o:String} AND t.ts BETWEEN ${since} AND ${since+86400000}`
const T='ORDER BY t.ts,t.recv_delay,t.seq LIMIT 20001 WITH TIES SETTINGS max_threads=1'
const V:Record<string,string>={
 ts:`SELECT t.ts ${W} ${T} FORMAT Null`,
 tsNoTies:`SELECT t.ts ${W} ${T.replace('WITH TIES','')} FORMAT Null`,
 tsOrderTs:`SELECT t.ts ${W} ${T.replace('t.ts,t.recv_delay,t.seq','t.ts').replace('WITH TIES','')} FORMAT Null`,
 tsTight:`SELECT t.ts ${W.replace(String(since+86400000),String(since+3000000))} ${T} FORMAT Null`,
 all:`SELECT t.ts,t.bid,t.bid_fine,t.ask,t.ask_fine,t.bid_size,t.bid_size_fine,t.ask_size,t.ask_size_fine,t.recv_delay,t.seq ${W} ${T} FORMAT Null`,
 allNoLazy:`SELECT t.ts,t.bid,t.bid_fine,t.ask,t.ask_fine,t.bid_size,t.bid_size_fine,t.ask_size,t.ask_size_fine,t.recv_delay,t.seq ${W} ${T}, query_plan_optimize_lazy_materialization=0, query_plan_max_limit_for_lazy_materialization=0 FORMAT Null`,
 allNoPrewhere:`SELECT t.ts,t.bid,t.bid_fine,t.ask,t.ask_fine,t.bid_size,t.bid_size_fine,t.ask_size,t.ask_size_fine,t.recv_delay,t.seq ${W} ${T}, optimize_move_to_prewhere=0 FORMAT Null`,
 one:'SELECT 1 FORMAT Null',
 numbersPage:`SELECT concat('{"k":"tob","ts":', toString(number+1790000000000),',"bid":0.415,"bidSize":123.4,"ask":0.425,"askSize":234.5,"recvTs":1790000000000,"seq":0}\\n') FROM numbers(20000) FORMAT RawBLOB`,
}
const go=async(name:string,f:()=>Promise<any>)=>{const R=40;for(let i=0;i<5;i++)await f();const me=process.cpuUsage(),e0=cpu(t.store.enginePid()!);const ts:number[]=[];for(let i=0;i<R;i++){const a=performance.now();await f();ts.push(performance.now()-a)}
const m=process.cpuUsage(me),e1=cpu(t.store.enginePid()!);ts.sort((a,b)=>a-b);console.log(name.padEnd(14),'wall min',ts[0]!.toFixed(1),'p50',ts[R/2]!.toFixed(1),'engine u/s',((e1[0]!-e0[0]!)/R).toFixed(1),((e1[1]!-e0[1]!)/R).toFixed(1),'me u/s',(m.user/1000/R).toFixed(1),(m.system/1000/R).toFixed(1))}
const drain=async(s:AsyncIterable<Uint8Array>)=>{for await(const _ of s);}
for(const [n,q] of Object.entries(V)) await go(n,async()=>drain(await t.store.stream(q,{o:O})))
await go('replay',async()=>{const p=await tape.replay({venue:'polymarket',outcomeIds:[O],kind:'tob',sinceMs:since,untilMs:since+86400000,limit:20000,after:null,signal:new AbortController().signal});await drain(p.chunks);await p.end})
console.log(await t.store.rows("select count() c, sum(rows) r from system.parts where active and table='top_of_book' FORMAT JSONEachRow"))
await t.store.command('OPTIMIZE TABLE top_of_book FINAL')
await go('replay merged',async()=>{const p=await tape.replay({venue:'polymarket',outcomeIds:[O],kind:'tob',sinceMs:since,untilMs:since+86400000,limit:20000,after:null,signal:new AbortController().signal});await drain(p.chunks);await p.end})
await t.close()
