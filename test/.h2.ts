import { openTestTape, emptyBatch } from '#test/support/clickhouse'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/arrival'
const t = await openTestTape(); const arrival=new Arrival()
const now = 1_790_000_000_000
const O='76096855069577079887522927998152610136134629123456789012345678901234567890123'
for (const N of [1000,10000,100000,100000,200000]) { for (let rep=0;rep<3;rep++){
const b = emptyBatch('polymarket', O)
for (let i=0;i<N;i++) b.topOfBook.push({venue:'polymarket',outcomeId:O,ts:now+i*15-(i%3),recvTs:now+i*15+40+i%60,bidMicros:410000+(i%7)*1000,bidSize:(i*37)%5000/100+3,askMicros:420000+(i%11)*1000,askSize:(i*91)%7000+.12})
let t0=performance.now(); const k=new TapeBlock(); k.add(b,arrival); const e=performance.now()-t0
t0=performance.now(); await k.insert(t.store,'x'+Math.random()); const ins=performance.now()-t0
console.log(N,'encode',(N/e*1000/1e6).toFixed(2),'M/s', e.toFixed(1),'insert ms',ins.toFixed(1),(N/ins*1000/1e6).toFixed(2),'M/s',k.byteLength)}}
await t.store.command('DROP VIEW middle_by_minute_feed')
for (let rep=0;rep<3;rep++){const N=100000;const b = emptyBatch('polymarket', O)
for (let i=0;i<N;i++) b.topOfBook.push({venue:'polymarket',outcomeId:O,ts:now+i*15-(i%3),recvTs:now+i*15+40+i%60,bidMicros:410000+(i%7)*1000,bidSize:(i*37)%5000/100+3,askMicros:420000+(i%11)*1000,askSize:(i*91)%7000+.12})
const k=new TapeBlock(); k.add(b,arrival);let t0=performance.now(); await k.insert(t.store,'x'+Math.random()); console.log('no view',(performance.now()-t0).toFixed(1))}
await t.close()
