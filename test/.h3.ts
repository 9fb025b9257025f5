import { readFileSync } from 'node:fs'
import { openTestTape, emptyBatch } from '#test/support/clickhouse'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/arrival'
const t = await openTestTape(); const arrival=new Arrival()
const cpu=(pid:number)=>{const s=readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' ');return (Number(s[11])+Number(s[12]))*10}
const now = 1_790_000_000_000
const IDS=(process.argv[2]==='short'?'KXBTC15M-26MAY131130-':'76096855069577079887522927998152610136134629123456789012345678901234567890')
const N=100000
const batches:any[]=[]
for (let o=0;o<20;o++){const O=IDS+String(100+o);const b = emptyBatch('polymarket', O)
for (let i=0;i<N/20;i++) b.topOfBook.push({venue:'polymarket',outcomeId:O,ts:now+i*15-(i%3),recvTs:now+i*15+40+i%60,bidMicros:410000+(i%7)*1000,bidSize:(i*37)%5000/100+3,askMicros:420000+(i%11)*1000,askSize:(i*91)%7000+.12});batches.push(b)}
async function go(n:string,reps=10){
let me=process.cpuUsage(),en=cpu(t.store.enginePid()!),w=performance.now(),encc=0
for(let r=0;r<reps;r++){const e=process.cpuUsage();const k=new TapeBlock();for(const b of batches)k.add(b,arrival);const d=process.cpuUsage(e);encc+=(d.user+d.system)/1000;await k.insert(t.store,'x'+Math.random())}
const m=process.cpuUsage(me);console.log(n,'per 100k rows: encode cpu',(encc/reps).toFixed(1),'client cpu',((m.user+m.system)/1000/reps).toFixed(1),'engine cpu',((cpu(t.store.enginePid()!)-en)/reps).toFixed(1),'wall',((performance.now()-w)/reps).toFixed(1))}
await go('warm',3); await go('with view')
await t.store.command('DROP VIEW middle_by_minute_feed'); await go('no view')
await t.store.command('SYSTEM STOP MERGES'); await go('no merges')
await t.close()
