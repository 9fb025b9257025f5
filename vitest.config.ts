import { defineConfig } from 'vitest/config'
import { isLong, turnOf } from './test/support/inTurn.ts'

/** Official SDKs keep state in their modules: what one test sets there, another file would find. */
const ownProcess = ['test/endToEnd/**/*.test.ts', 'test/**/oracle.test.ts', 'test/src/lab/*/orders.test.ts']

/** A cluster over Kafka each, more than a minute: short runs take turns by the day. */
const inTurn = ['test/endToEnd/cluster/arbitrage.test.ts', 'test/endToEnd/cluster/tape.test.ts']
const notToday = inTurn.filter((file) => !turnOf(inTurn).includes(file))

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
