import { defineConfig } from 'vitest/config'

// Suites that start real servers share two cores: few at a time, and patient.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/countReporter.ts'],
  },
})
