// A trace collector as in a deployment: OTLP over HTTP, in JSON. Can be set to refuse everything.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 2: of a server, 3: of a client. */
  kind: number
  status: { code?: number; message?: string }
  attributes: Readonly<Record<string, string | number | undefined>>
}

export interface TraceCollector {
  /** With the path that collectors use. */
  url: string
  spans: CollectedSpan[]
  /** Of the process that sent them. */
  resources: Readonly<Record<string, string | number | undefined>>[]
  headers: IncomingHttpHeaders[]
  isDown: boolean
  stop(): Promise<void>
}

const attributesOf = (list: readonly Attribute[] = []): CollectedSpan['attributes'] =>
  Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const server = createServer(async (request, response) => {
    collector.headers.push(request.headers)
    const exported = (await json(request)) as Export
    if (collector.isDown || request.url !== '/v1/traces') return void response.writeHead(400).end()
    for (const { resource, scopeSpans } of exported.resourceSpans) {
      collector.resources.push(attributesOf(resource.attributes))
      for (const { spans } of scopeSpans)
        collector.spans.push(...spans.map((span) => ({ ...span, attributes: attributesOf(span.attributes) })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: [],
    resources: [],
    headers: [],
    isDown: false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}
