// Checks that the gateways' ports are free before anything is started.
import { createServer } from 'node:net'

export async function checkPorts(host: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) if (port !== 0) await checkPort(host, port)
}

function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? 'is taken: stop the program that listens there' : `cannot be used (${cause.code})`
      reject(new Error(`port ${port} of ${host} ${why}, or set PORT to another (PORT=0 takes free ones)`, { cause }))
    })
    server.listen(port, host, () => server.close(() => resolve()))
  })
}
