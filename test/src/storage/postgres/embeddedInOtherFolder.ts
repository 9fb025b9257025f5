// A separate process that owns a data directory, for embedded.test.ts. Prints the server's process id once a row is
// stored; SIGTERM ends it.
import { silentLog } from '#core/log'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { createPool } from '#storage/postgres/pool'

const server = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: silentLog })
process.once('SIGTERM', async () => {
  await server.stop()
  process.exit(0)
})
const pool = createPool({ url: server.url, log: silentLog })
await pool.query('CREATE TABLE IF NOT EXISTS elsewhere AS SELECT 7 AS answer')
await pool.end()
console.log(server.pid())
