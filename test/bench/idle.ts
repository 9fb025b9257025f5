// What the program costs without requests: with the default venues, with each other venue in addition, and with all. The simulated venues
// run in a separate process, at the pace of the demo (`idle.busy`: all at the pace of two). CPU and memory include every process the
// program started, such as its database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { venueVariable } from '#config'
import { defaultVenues, demoRate, type LabVenueName, labVenueNames } from '#lab/venues'
import { startProgram } from '#test/endToEnd/process/program'
import { registry } from '#venues/registry'
import { type Bench, type BenchResult, figure, fullOrShort } from './bench.ts'
import { cpuSecondsOf, megabytesOf } from './processCost.ts'

/** Until the first walks of all venues are over, the matcher has run, its results are loaded, and the code involved is compiled. */
const settleMs = fullOrShort(60_000, 500)
const restMs = fullOrShort(60_000, 500)

const root = fileURLToPath(new URL('../..', import.meta.url))
const all = labVenueNames.filter((name) => Object.hasOwn(registry, name))
const usual: readonly string[] = defaultVenues
const others = all.filter((venue) => !usual.includes(venue))
/** How many of the others are measured, each in a program of its own. */
const othersMeasured = fullOrShort(others.length, 1)

type LabReady = Record<string, { urls: Record<string, string>; credentials?: Record<string, string> }>

async function startLabProcess(rate: number): Promise<{ process: ChildProcess; ready: LabReady }> {
  const words = ['lab/main.ts', '--seed', 'demo', '--rate', String(rate), '--venues', all.join(',')]
  const process = spawn(globalThis.process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: process.stdout })) {
    const readyJson = /^crossbook-lab ready (.*)$/.exec(line)?.[1]
    if (readyJson !== undefined) return { process, ready: JSON.parse(readyJson) as LabReady }
  }
  throw new Error('the lab did not start')
}

function environmentOf(names: readonly LabVenueName[], lab: LabReady, dataDir: string): Record<string, string> {
  const settings = names.flatMap((name) => {
    const { urls, credentials = {} } = lab[name]!
    const keyed: readonly string[] = registry[name].credentialNames
    return [
      ...Object.entries(urls).map(([url, value]) => [venueVariable(name, `${url}_URL`), value]),
      ...keyed.map((part) => [venueVariable(name, part), credentials[part]!]),
    ]
  })
  return { DATA_DIR: dataDir, VENUES: names.join(','), ...Object.fromEntries(settings) }
}

interface Rest {
  startSeconds: number
  startCpuSeconds: number
  settleCpuSeconds: number
  cores: number
  megabytes: number
}

async function rest(names: readonly LabVenueName[], lab: LabReady): Promise<Rest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-idle-'))
  const before = performance.now()
  const program = await startProgram('src/main.ts', environmentOf(names, lab, dataDir))
  try {
    const startSeconds = (performance.now() - before) / 1_000
    const started = cpuSecondsOf(program.pid)
    await sleep(settleMs)
    const from = [cpuSecondsOf(program.pid), performance.now()] as const
    await sleep(restMs)
    const [cpu, wall] = [cpuSecondsOf(program.pid) - from[0], (performance.now() - from[1]) / 1_000]
    return {
      startSeconds,
      startCpuSeconds: started,
      settleCpuSeconds: from[0] - started,
      cores: cpu / wall,
      megabytes: megabytesOf(program.pid),
    }
  } finally {
    await program.end('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function withLab<T>(rate: number, work: (lab: LabReady) => Promise<T>): Promise<T> {
  const lab = await startLabProcess(rate)
  try {
    return await work(lab.ready)
  } finally {
    lab.process.kill('SIGTERM')
    await once(lab.process, 'exit')
  }
}

const figures = (bench: string, taken: Rest): BenchResult[] => [
  figure(bench, 'ready after', 's', taken.startSeconds),
  figure(bench, 'CPU until ready', 's', taken.startCpuSeconds),
  figure(bench, 'CPU of the first walks and matches', 's', taken.settleCpuSeconds),
  figure(bench, 'idle CPU', '% of a core', taken.cores * 100),
  figure(bench, 'idle memory', 'MB', taken.megabytes),
]

const restOf = (bench: string, names: readonly LabVenueName[], rate = demoRate(names.length)): Bench => ({
  name: bench,
  run: () => withLab(rate, async (lab) => figures(bench, await rest(names, lab))),
})

/** What each venue adds to the default ones. Small differences are noise of the machine. */
const each: Bench = {
  name: 'idle.each',
  run: () =>
    withLab(demoRate(defaultVenues.length), async (lab) => {
      const alone = await rest(defaultVenues, lab)
      const results: BenchResult[] = []
      for (const name of others.slice(0, othersMeasured)) {
        const taken = await rest([...defaultVenues, name], lab)
        results.push(
          figure('idle.each', `${name} adds to idle CPU`, '% of a core', (taken.cores - alone.cores) * 100),
          figure('idle.each', `${name} adds to memory`, 'MB', taken.megabytes - alone.megabytes),
        )
      }
      return results
    }),
}

export const benches: readonly Bench[] = [
  restOf('idle.usual', defaultVenues),
  restOf('idle.all', all),
  restOf('idle.busy', all, 4),
  each,
]
