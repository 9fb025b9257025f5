import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './freePort.ts'

it('gives each caller a different port, none of those that servers on port 0 get', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  server.close()
  for (const reserved of ports) expect(reserved).toBeLessThan(port)
})
