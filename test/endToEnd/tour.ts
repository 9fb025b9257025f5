// The shell blocks of the README's first page, as printed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { blocksIn, type PrintedDemo, root } from './printedDemo.ts'

export const readme = readFileSync(join(root, 'README.md'), 'utf8')
export const blocks = blocksIn(readme)
const tour = blocks.find((block) => block.includes('export KEY='))!

const direct = `${process.execPath} --disable-warning=ExperimentalWarning ${join(root, 'src/cli.ts')}`

/** Runs a block's lines in one shell, after the tour's exports; returns the output of each command, in order. */
export async function takeBlock(demo: PrintedDemo, block: string): Promise<string[]> {
  const exports = tour.split('\n').filter((line) => line.startsWith('export '))
  const lines = [...new Set([...exports, ...block.split('\n')])]
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('export ') ? line : `${line}\nprintf '\\n@@\\n'`))
  // Starting npx costs more than what it starts: only the first page uses it.
  const typed = block === tour ? lines : lines.map((line) => line.replaceAll('npx crossbook', direct))
  return (await demo.shell(typed.join('\n'))).split('\n@@\n').slice(0, -1)
}

/** A book, its complement, a watch, raw frames, a replay and the venues. */
export async function expectTour(demo: PrintedDemo): Promise<void> {
  const [yesText, noText, watched, frames, replay, status] = await takeBlock(demo, tour)
  const yes = JSON.parse(yesText!)
  const no = JSON.parse(noText!)
  expect(yes.data).toMatchObject({ provenance: { source: 'service-live' }, synthetic: false })
  expect(yes.data.bids.length).toBeGreaterThan(0)
  expect(no.data.bids.length + no.data.asks.length).toBeGreaterThan(0)
  expect(watched).toMatch(/subscribed to orderbook/)
  expect(watched).toMatch(/book +bid 0\.\d+/)
  const types = frames!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(types).toHaveLength(10)
  expect(types).toEqual(expect.arrayContaining(['auth', 'subscribed', 'snapshot', 'update']))
  const lines = replay!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ k: 'cursor', rows: lines.length - 1 })
  expect(lines.length).toBeGreaterThan(1)
  expect(lines[0]).toMatchObject({ k: 'tob', ts: expect.any(Number), bid: expect.anything() })
  expect(JSON.parse(status!).data.venues.map((venue: { connection: string }) => venue.connection)).toEqual([
    'connected',
    'connected',
  ])
}
