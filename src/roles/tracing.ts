// Traces, if a collector is configured: from an API request to the requests to venues made for it. Loaded only then, so that others pay nothing.
//
//   request (traceparent adopted) ─► span of the operation ─► one span for each request to a venue ─► OTLP over HTTP, in batches
//
// Venues get no header of ours: they would learn which of their requests belong together, and some sign or refuse unknown headers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '#config'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { type RequestDiagnostics, requestChannel } from '#net/diagnostics'
import type { HttpAnswer, HttpHandler } from '#server/http/contract'

export interface Tracing {
  handler(handler: HttpHandler): HttpHandler
  /** The operation that the current request turned out to be. */
  named(operation: string): void
  /** Sends what is queued, within seconds. */
  stop(): Promise<void>
}

export interface TracingOptions {
  settings: NonNullable<Config['tracing']>
  version: string
  instance: string
  log: Log
}

const batch = { maxQueueSize: 4_096, maxExportBatchSize: 512, scheduledDelayMillis: 2_000, exportTimeoutMillis: 3_000 }

/** Probes and scrapers are not traced. */
const untraced: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics'])

const headers = {
  get: (carrier: Readonly<Record<string, string>>, name: string): string | undefined => carrier[name],
  keys: (carrier: Readonly<Record<string, string>>): string[] => Object.keys(carrier),
}

export function startTracing({ settings, version, instance, log }: TracingOptions): Tracing {
  const { url, ratio } = settings
  const exporter = new OTLPTraceExporter({
    url,
    headers: settings.headers,
    timeoutMillis: batch.exportTimeoutMillis,
  })
  const provider = new TracerProvider({
    // By the trace id alone: a caller may name a trace, but not force us to keep it.
    sampler: new TraceIdRatioBasedSampler(ratio),
    resource: resourceFromAttributes({
      'service.name': 'crossbook',
      'service.version': version,
      'service.instance.id': instance,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: loggedOncePerOutage(exporter, log), ...batch })],
  })
  const tracer = provider.getTracer('crossbook', version)
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Span>()
  const requestSpans = new WeakMap<RequestDiagnostics, Span>()

  const begun = (message: unknown): void => {
    const parent = current.getStore()
    // Background work without a waiting caller: a catalog walk, a book refetched.
    if (parent === undefined) return
    const request = message as RequestDiagnostics
    const { venue, method, host } = request
    const attributes = {
      'http.request.method': method,
      'server.address': host,
      ...(venue !== null && { 'crossbook.venue': venue }),
    }
    const options = { kind: SpanKind.CLIENT, attributes }
    requestSpans.set(
      request,
      tracer.startSpan(`${method} ${venue ?? host}`, options, trace.setSpan(ROOT_CONTEXT, parent)),
    )
  }
  const ended = (message: unknown): void => {
    const request = message as RequestDiagnostics & { error?: unknown }
    const span = requestSpans.get(request)
    if (span === undefined) return
    const { status, outcome, error } = request
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (outcome !== undefined) span.setAttribute('crossbook.outcome', outcome)
    const failed = error !== undefined || (outcome !== undefined && outcome !== 'answered')
    // No message: a venue's text may contain anything.
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Fault ? error.code : outcome })
    span.end()
  }
  requestChannel.start.subscribe(begun)
  requestChannel.asyncEnd.subscribe(ended)

  const finished = (span: Span, answer: HttpAnswer): HttpAnswer => {
    span.setAttribute('http.response.status_code', answer.status)
    span.setAttribute('crossbook.request_id', answer.headers['x-request-id'] ?? '')
    if (answer.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    return answer
  }

  return {
    handler: (handler) => (call) => {
      if (untraced.has(call.path)) return handler(call)
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': call.method } }
      const span = tracer.startSpan(call.method, options, propagator.extract(ROOT_CONTEXT, call.headers, headers))
      if (!span.isRecording()) return handler(call)
      return current.run(span, () => {
        const answer = handler(call)
        return answer instanceof Promise ? answer.then((waited) => finished(span, waited)) : finished(span, answer)
      })
    },
    named: (operation) => void current.getStore()?.updateName(operation),
    async stop() {
      requestChannel.start.unsubscribe(begun)
      requestChannel.asyncEnd.unsubscribe(ended)
      await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'the last traces were not sent'))
    },
  }
}

/** A collector's outage is logged when it starts and when it ends, not with every batch. */
function loggedOncePerOutage(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let isAway = false
  const note = ({ code, error }: ExportResult): void => {
    const fails = code === ExportResultCode.FAILED
    if (fails && !isAway)
      log.warn({ err: error }, 'the trace collector does not accept traces; dropping them until it does')
    if (!fails && isAway) log.info('the trace collector accepts traces again')
    isAway = fails
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
