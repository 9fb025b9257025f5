import { expect, it } from 'vitest'
import { readMigrations } from '#storage/postgres/migrate'

it('migrations are numbered without holes and without doubles', async () => {
  expect((await readMigrations()).length).toBeGreaterThan(10)
})
