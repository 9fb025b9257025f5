import { LeanClient } from '#storage/postgres/leanClient'

type Row = { n: number; ms: number[] }
const by = new Map<string, Row>()
const proto = LeanClient.prototype as unknown as {
  ask(s: { text?: string }, v: unknown, d: (e: unknown, r: unknown) => void): void
}
const ask = proto.ask
proto.ask = function (statement, values, done) {
  const at = performance.now()
  const key = String(statement.text).replace(/\s+/g, ' ').slice(0, 90)
  ask.call(this, statement, values, (e, r) => {
    const row = by.get(key) ?? { n: 0, ms: [] }
    by.set(key, row)
    row.n++
    row.ms.push(performance.now() - at)
    done(e, r)
  })
}
process.on('exit', () => {
  for (const [k, { n, ms }] of by) {
    if (n < 100) continue
    const s = ms.slice(-300).sort((a, b) => a - b)
    console.error(n, s[Math.floor(s.length / 2)]!.toFixed(2), s[Math.floor(s.length * 0.99)]!.toFixed(2), k)
  }
})
