import { expect, it } from 'vitest'
import { readMigrations } from '#storage/postgres/migrate'

it('migrations are numbered without gaps or duplicates', async () => {
  expect((await readMigrations()).length).toBeGreaterThan(10)
})
