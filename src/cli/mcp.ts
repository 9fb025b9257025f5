// `crossbook mcp`: the tools over stdin and stdout for a program that starts this one, or over HTTP on loopback.
import { createServer, type Server } from 'node:http'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { GatewayAt } from '#server/mcp/gateway'
import { createMcp } from '#server/mcp/server'
import { type ClientSettings, connectionOf, type GatewayOptions } from './options.ts'
import { print, printError } from './output.ts'

export interface McpOptions extends GatewayOptions {
  http?: string
}

const path = '/mcp'
const connectionsMax = 64

export async function mcp({ http, ...options }: McpOptions, settings: ClientSettings): Promise<void> {
  const gateway = connectionOf(options, settings)
  if (http === undefined) {
    // Standard output belongs to the protocol: everything else goes to standard error.
    serveStdio(() => createMcp(gateway), { onerror: (error) => printError(error.message) })
    return
  }
  const port = Number(http)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--http takes a port')
  const { url } = await serveMcp(gateway, port)
  print(`mcp ready ${JSON.stringify({ url })}`)
}

/**
 * Only on loopback: every client that reaches it uses the key of the user who started it. Web pages are excluded by their origin, and by the host
 * name they use.
 */
export async function serveMcp(gateway: GatewayAt, port: number): Promise<{ url: string; server: Server }> {
  const handle = toNodeHandler(createMcpHandler(() => createMcp(gateway)))
  const isLocalHost = localhostHostValidation()
  const isLocalPage = localhostOriginValidation()
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 5_000 }, (request, response) => {
    if (!isLocalHost(request, response) || !isLocalPage(request, response)) return
    if (request.url?.split('?')[0] !== path) {
      response.writeHead(404).end()
      return
    }
    void handle(request, response)
  })
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was taken')
  return { url: `http://127.0.0.1:${address.port}${path}`, server }
}
