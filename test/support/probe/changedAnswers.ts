// A server in front of a lab's address that changes the text of its answers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function changedAnswers(
  base: string,
  change: (text: string) => string,
): Promise<{ url: string; close(): Promise<void> }> {
  const { origin, pathname } = new URL(base)
  const server = createServer((request, response) => {
    const headers = { 'user-agent': request.headers['user-agent'] ?? '' }
    fetch(`${origin}${request.url}`, { headers }).then(
      async (answer) => {
        const text = await answer.text()
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(change(text))
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
