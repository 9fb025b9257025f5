// The tools as a server of the Model Context Protocol, for any transport.
import { McpServer } from '@modelcontextprotocol/server'
import { plainText } from '#core/plainText'
import { version } from '#core/version'
import { textOf } from './answer.ts'
import type { GatewayAt } from './gateway.ts'
import { tools } from './tools.ts'

export function createMcp(gateway: GatewayAt): McpServer {
  const server = new McpServer(
    { name: 'crossbook', title: 'Crossbook: prediction markets', version },
    {
      capabilities: { tools: {} },
      instructions:
        'Reads prediction markets of many venues through one interface. Prices are probabilities from 0 to 1. null is unknown, never zero. Similar markets are certain to match only if matchBand is "verified". Nothing here can send an order.',
    },
  )
  for (const { name, title, description, input, run } of tools) {
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given, context) => {
      try {
        const answer = await run(gateway, given as never, context.mcpReq.signal)
        return { content: [{ type: 'text', text: textOf(answer) }] }
      } catch (error) {
        return { content: [{ type: 'text', text: plainText((error as Error).message) }], isError: true }
      }
    })
  }
  return server
}
