import { defineConfig } from 'vitest/config'
import { isLong } from './test/support/shortRuns.ts'

/** `npm run test:kafka`: clusters of processes, and the bus, over Kafka. */
const kafka = [
  'test/endToEnd/cluster/**/*.test.ts',
  'test/endToEnd/process/clusterBackup.test.ts',
  'test/src/storage/kafka/{access,inbox,kafkaBus,lostKafka,threeBrokers}.test.ts',
]

/** `npm run test:clients`: the dashboard in a browser, our clients and those of others, most of them installed from a package registry. */
const clients = [
  'test/endToEnd/clients/**/*.test.ts',
  'test/lab/officialClients.test.ts',
  'test/**/oraclePython.test.ts',
]

/** `npm run test:long` only. */
const long = isLong ? [] : ['test/endToEnd/faults/replayPaging.test.ts']

/** `npm run test:programs`: suites that start whole programs: the engine, the demo, commands, embedded stores. */
const programs = [
  'test/endToEnd/**/*.test.ts',
  'test/src/checkNode.test.ts',
  'test/src/cli/{pages,replayRaw}.test.ts',
  'test/src/cli/probe/{command,refusals}.test.ts',
  'test/src/storage/{clickhouse,postgres}/embedded.test.ts',
]

/** `npm test`, first part: official SDKs, which keep state in their modules. */
const ownProcess = [
  'test/src/venues/{hyperliquid,kalshi,limitless,myriad,opinion,polymarket,polymarket_us,predictfun,sxbet}/**/oracle.test.ts',
  'test/lab/{hyperliquid,kalshi,opinion,polymarket,polymarket_us,predictfun}/orders.test.ts',
]

/** Each file reads most of the source: Node's own loader takes a third less time for it. */
const nodeLoader = { viteModuleRunner: false, nodeLoader: false } as const

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
          exclude: clients,
          maxWorkers: 2,
          experimental: nodeLoader,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...ownProcess, ...programs, ...kafka, ...clients],
          maxWorkers: 4,
          // Starting a process for each of some 950 files costs more than many of them take.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programs,
          exclude: [...kafka, ...clients, ...long],
          maxWorkers: 2,
          experimental: nodeLoader,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'kafka',
          include: kafka,
          maxWorkers: 2,
          experimental: nodeLoader,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: clients,
          maxWorkers: 2,
          experimental: nodeLoader,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
