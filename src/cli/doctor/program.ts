// Whether a program runs on this configuration, and reports itself ready.
import { z } from 'zod'
import type { Config } from '#config'
import { readRuntime } from '#roles/runtimeFile'
import type { Finding } from './finding.ts'

const answerWithinMs = 5_000
const check = 'program'

/** The response of `/ready`, in both states. */
const Answer = z.union([
  z.object({ data: z.object({ parts: z.record(z.string(), z.boolean()), degraded: z.array(z.string()) }) }),
  z.object({ error: z.object({ message: z.string() }) }),
])

type Wanted = Pick<Config, 'roles' | 'host' | 'port' | 'dataDir' | 'operations'>

export async function programCheck({ roles, host, port, dataDir, operations }: Wanted): Promise<Finding> {
  const running = readRuntime(dataDir)
  const url =
    running?.url ??
    (operations === undefined ? null : urlOf(operations)) ??
    (roles.has('gateway') ? urlOf({ host, port }) : null)
  if (url === null) {
    if (running === null) return notRunning
    const message = `process ${running.pid} is running; set CROSSBOOK_OPERATIONS_PORT to learn whether it is ready`
    return { check, state: 'warn', message }
  }
  try {
    const readiness = Answer.parse(
      await (await fetch(`${url}/ready`, { signal: AbortSignal.timeout(answerWithinMs) })).json(),
    )
    if ('error' in readiness)
      return { check, state: 'fail', message: `${url} is not ready: ${readiness.error.message}` }
    const { degraded } = readiness.data
    if (degraded.length > 0) return { check, state: 'warn', message: `${url} serves without ${degraded.join(', ')}` }
    const parts = Object.keys(readiness.data.parts)
    return { check, state: 'ok', message: `${url} is ready${parts.length === 0 ? '' : `: ${parts.join(', ')}`}` }
  } catch (error) {
    // Nothing there, or something else: the port check reports which.
    if (running === null) return notRunning
    const { message, cause } = error as Error & { cause?: { code?: string } }
    const why = error instanceof z.ZodError ? 'something else answers there' : (cause?.code ?? message)
    return { check, state: 'fail', message: `process ${running.pid} is running, but ${url} does not answer: ${why}` }
  }
}

const notRunning: Finding = { check, state: 'ok', message: 'none is running here' }

/** Null: any free port, which only the program itself knows. */
function urlOf({ host, port }: { host: string; port: number }): string | null {
  if (port === 0) return null
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
