import { openTestTape, emptyBatch } from '#test/support/clickhouse'
import { createClickhouseTape } from '#history/clickhouseTape'
import { createOutcomeFacts } from '#history/outcomeFacts'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
const t = await openTestTape()
const tape = createClickhouseTape(t.store)
const now = 1_790_000_000_000
const O='76096855069577079887522927998152610136134629123456789012345678901234567890123'
const b = emptyBatch('polymarket', O)
let N=200000
for (let i=0;i<N;i++) b.topOfBook.push({venue:'polymarket',outcomeId:O,ts:now+i*15-(i%3),recvTs:now+i*15+40+i%60,bidMicros:410000+(i%7)*1000,bidSize:(i*37)%5000/100+3,askMicros:i%50===0?null:420000+(i%11)*1000,askSize:i%50===0?0:(i*91)%7000+.123456})
for (let i=0;i<60000;i++) b.trades.push({venue:'polymarket',outcomeId:O,tradeId:'0x'+(i*7919).toString(16).padStart(40,'0'),ts:now+i*50,recvTs:now+i*50+9,priceMicros:400000+(i%100)*100,size:i%13+.5,side:i%2?'buy':'sell',transactionHash:null})
b.books.push({venue:'polymarket',outcomeId:O,ts:now,recvTs:now+5,bidMicros:[410000,400000],bidSizes:[10,20.5],askMicros:[430000],askSizes:[7]})
let t0=performance.now(); await t.insert([b]); console.log('insert', (N+60001)/(performance.now()-t0)*1000,'rows/s')
t0=performance.now(); await t.insert([b]); console.log('insert2', (N+60001)/(performance.now()-t0)*1000,'rows/s')
await insertCoverage(t.store,[{venue:'polymarket',outcomeId:O,kind:'opened',mechanism:'ws-lossless',effectiveIntervalMs:null,reason:null,at:now},{venue:'polymarket',outcomeId:O,kind:'gap',mechanism:'ws-lossless',effectiveIntervalMs:null,reason:'x',at:now+5}],'c')
async function page(kind:any, limit:number, after:any=null, resolution?:any){const p=await tape.replay({venue:'polymarket',outcomeIds:[O],kind,resolution,sinceMs:now,untilMs:now+31*86400000,limit,after,signal:AbortSignal.timeout(10000)});let s=0;let first='';for await(const c of p.chunks){if(!first)first=Buffer.from(c).toString().slice(0,300);s+=c.length};return [first.split('\n')[0],s,await p.end] as const}
console.log(await page('tob',3)); console.log(await page('trades',3)); console.log(await page('candles',3,null,'1m'))
for (const [k,r] of [['tob'],['trades'],['candles','1s'],['candles','1h']] as any){const ts:number[]=[];for(let i=0;i<30;i++){const a=performance.now();await page(k,20000,null,r);ts.push(performance.now()-a)}ts.sort((a,b)=>a-b);console.log(k,r,'20k page p50',ts[15]!.toFixed(1),'p90',ts[27]!.toFixed(1))}
console.log(await tape.findBook('polymarket',O,now+9), (await tape.findTrades('polymarket',O,{limit:2})), await tape.findCandles('polymarket',O,{resolutionMs:300000,limit:2}), await tape.hasOutcome('polymarket',O), await tape.hasOutcome('polymarket','x'))
const f=createOutcomeFacts(t.store)
console.log(await f.findPriceChanges('polymarket',[O,'zz'],now+40*60000), await f.findCoverage('polymarket',[O],now+1000))
await t.close()
