// Runs backtestPeer.py with the Python that CROSSBOOK_NAUTILUS_PYTHON names; null where there is none.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EmittedFrame } from '#history/paced/sources'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./backtestPeer.py', import.meta.url))

interface Peer {
  version: string
  perSecond: number
}

export async function nautilusEventsPerSecond(tape: readonly EmittedFrame[]): Promise<Peer | null> {
  const python = process.env.CROSSBOOK_NAUTILUS_PYTHON
  if (python === undefined) return null
  const folder = await mkdtemp(join(tmpdir(), 'crossbook-bench-backtest-'))
  try {
    const file = join(folder, 'tape.csv')
    await writeFile(file, tape.map(lineOf).join(''))
    const { stdout } = await run(python, [script, file], { maxBuffer: 2 ** 26, timeout: 1_800_000 })
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Peer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function lineOf({ at, kind, data }: EmittedFrame): string {
  if (kind === 'trade') {
    const { price, shares, type } = data as { price: number; shares: number; type: string }
    return `${at},T,${price.toFixed(2)},${shares},${type},\n`
  }
  const { bids, asks } = data as { bids: Record<'price' | 'size', number>[]; asks: Record<'price' | 'size', number>[] }
  return `${at},Q,${bids[0]!.price.toFixed(2)},${bids[0]!.size},${asks[0]!.price.toFixed(2)},${asks[0]!.size}\n`
}
