import { defineConfig } from 'vitest/config'
import { isLong, turnOf } from './test/support/inTurn.ts'

/** Official SDKs keep state in their modules: what one test sets there, another file would find. */
const ownProcess = ['test/endToEnd/**/*.test.ts', 'test/**/oracle.test.ts', 'test/lab/*/orders.test.ts']

/** Suites of a minute and more, of each row one a day in short runs: clusters over Kafka, Python's and npm's clients, sizes of what goes wrong. */
const inTurn = [
  ['cluster/cluster', 'cluster/arbitrage', 'cluster/tape', 'cluster/command', 'process/clusterBackup'],
  ['clients/sdkPython', 'clients/pmxtRouter'],
  ['faults/replayPaging', 'faults/flood', 'faults/growingDelay'],
].map((row) => row.map((name) => `test/endToEnd/${name}.test.ts`))
const notToday = inTurn.flatMap((row) => row.filter((file) => !turnOf(row).includes(file)))

// Suites that start real servers share two cores and mostly wait: they are patient, and a few run at a time.
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: isLong ? 600_000 : 30_000,
    hookTimeout: 60_000,
    globalSetup: './test/support/globalSetup.ts',
    setupFiles: ['./test/support/seed.ts', './test/support/heldAnswers.ts'],
    reporters: ['default', './test/support/countReporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ownProcess,
          exclude: notToday,
          maxWorkers: 2,
          // Each reads the whole source: Node's own loader takes a third less time for it. Nothing here needs Vite's.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: ownProcess,
          maxWorkers: 4,
          // Starting a process for each of some 240 files costs more than many of them take.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
