// The arbitrage surface, kept row by row: always a complete state, as of one seq.
import { client } from './connect.ts'

const [frames = '3'] = process.argv.slice(2)
const stream = client.stream()
const surface = stream.subscribeArbitrage({ executableOnly: true })

let left = Number(frames)
for await (const event of surface) {
  // The rows are discarded; a snapshot follows.
  if (event.type === 'gap' || event.type === 'stale') console.log('stale:', event.reason)
  if (event.type !== 'rows') continue
  const best = [...surface.rows.values()].sort((a, b) => (b.netEdge ?? 0) - (a.netEdge ?? 0))[0]
  console.log(
    event.kind,
    event.upserts.length,
    'changed',
    event.removes.length,
    'gone',
    surface.rows.size,
    'rows, best',
    best?.netEdge ?? 'none',
  )
  if (--left === 0) break
}
stream.close()
