import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ports that Linux, macOS and Windows give to outgoing connections and to servers that listen on port 0. */
const firstPort = 10_000
const lastPort = 31_999
const attemptsMax = 100
const reservedForMs = 3_600_000

/**
 * A port of loopback that is closed, and that no other test gets within an hour.
 * Use this instead of closing a server that listened on port 0: the next server to listen on port 0 may get that port.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const port = randomInt(firstPort, lastPort + 1)
    if ((await reserve(port)) && (await isClosed(port))) return port
  }
  throw new Error(`no free port among ${attemptsMax}`)
}

/** A file per port, because test files run in several processes. */
async function reserve(port: number): Promise<boolean> {
  const folder = join(tmpdir(), 'crossbook-test-ports')
  const file = join(folder, String(port))
  await mkdir(folder, { recursive: true })
  const reserved = await stat(file).catch(() => null)
  if (reserved !== null) {
    if (Date.now() - reserved.mtimeMs < reservedForMs) return false
    await rm(file, { force: true })
  }
  try {
    await (await open(file, 'wx')).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isClosed(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
