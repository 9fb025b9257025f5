import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startCrossbook } from '#roles/crossbook'

it('fails with a clear error when the port is taken, before it opens any store', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'crossbook-port-'))
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const start = startCrossbook(readConfig({ PORT: String(port), DATA_DIR: dir }), {
    clock: systemClock,
    log: silentLog,
  })
  await expect(start).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: another program uses the port`)
  expect(readdirSync(dir)).toEqual([])
  await new Promise((resolve) => other.close(resolve))
  rmSync(dir, { recursive: true })
})
