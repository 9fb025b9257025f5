// A proxy between an execution adapter and its lab, like an edge server of a venue: it forwards every request, and can replace the
// response.
import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Instead {
  status: number
  text: string
  headers?: Record<string, string>
}

export interface AnswerProxy {
  /** The addresses of the lab, with this proxy in front of them. */
  urls: Record<string, string>
  /** The next request whose path or body contains this text reaches the lab; its response is dropped. */
  answerInstead(part: string, instead: Instead): void
  /** No request reaches the lab; null ends it. */
  answerAll(instead: Instead | null): void
  close(): Promise<void>
}

export async function startAnswerProxy(labUrls: Readonly<Record<string, string>>): Promise<AnswerProxy> {
  const target = new URL(Object.values(labUrls)[0]!)
  let always: Instead | null = null
  let planned: { part: string; instead: Instead } | null = null
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (always !== null) {
      incoming.resume()
      return void outgoing.writeHead(always.status, always.headers).end(always.text)
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const isPlanned = planned !== null && (url.includes(planned.part) || body.includes(planned.part))
      const planOf = method !== 'GET' && isPlanned ? planned!.instead : null
      if (planOf !== null) planned = null
      const onward = send({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
        if (planOf === null) {
          outgoing.writeHead(answer.statusCode!, answer.headers)
          return void answer.pipe(outgoing)
        }
        answer.resume()
        answer.on('end', () => outgoing.writeHead(planOf.status, planOf.headers).end(planOf.text))
      })
      onward.on('error', () => outgoing.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const through = (url: string): string => {
    const { host, protocol } = new URL(url)
    return host === target.host && protocol === 'http:' ? url.replace(host, `127.0.0.1:${port}`) : url
  }
  return {
    urls: Object.fromEntries(Object.entries(labUrls).map(([name, url]) => [name, through(url)])),
    answerInstead(part, instead) {
      planned = { part, instead }
    },
    answerAll(instead) {
      always = instead
    },
    close: () => closed(server),
  }
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
