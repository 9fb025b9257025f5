import { defineConfig } from 'vitest/config'

/** Official SDKs keep state in their modules: what one test sets there, another file would find. */
const ownProcess = ['test/endToEnd/**/*.test.ts', 'test/**/oracle.test.ts', 'test/src/lab/*/orders.test.ts']

/** Thousands of rounds of what the short form does once. */
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

/** A cluster over Kafka each, more than a minute: short runs take turns by the day. */
const inTurn = ['test/endToEnd/cluster/arbitrage.test.ts', 'test/endToEnd/cluster/tape.test.ts']
const today = Math.floor(Date.now() / 86_400_000)
const notToday = isLong ? [] : [inTurn[today % inTurn.length] as string]

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
