// The faults of the drill. Of each role, one process at a time is killed, suspended or stopped, and started again. Kafka: one broker at a
// time is killed and started again, or all connections are cut and some new ones stay half-open, or every response is delayed.
import type { Prng } from '#lab/prng'
import type { KafkaCluster } from '../../kafka/broker.ts'
import type { RoleProcess } from '../roleProcess.ts'

const brokerDownMaxMs = 20_000
const delayMs = 500

const between = (random: Prng, fromMs: number, toMs: number): number => fromMs + random.int(toMs - fromMs)

export interface FaultInjection {
  /** What happened, in order. */
  readonly log: string[]
  /** Since when no fault has affected this process (performance.now()); null during a fault. */
  calmSince(process: RoleProcess): number | null
  /** Ends all faults, then resolves. */
  end(): Promise<void>
}

export interface FaultInjectionOptions {
  random: Prng
  /** Several of each role. */
  roles: readonly (readonly RoleProcess[])[]
  kafka: KafkaCluster
  /** Longest suspension of a process, ms. */
  sleepMaxMs: number
  /** How many times as often as usual a fault begins. */
  pace?: number
}

export function injectFaults({ random, roles, kafka, sleepMaxMs, pace = 1 }: FaultInjectionOptions): FaultInjection {
  const startedAt = performance.now()
  const calm = new Map<RoleProcess, number | null>()
  const log: string[] = []
  const ending = new AbortController()
  const note = (what: string): void => {
    log.push(`${((performance.now() - startedAt) / 1_000).toFixed(1)} ${what}`)
  }
  /** Ends early when the drill does. */
  const pass = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
      if (ending.signal.aborted) resolve()
    })

  async function befall(process: RoleProcess): Promise<void> {
    const dice = random.next()
    if (dice < 0.4) {
      note(`kill ${process.name}`)
      await process.kill()
      await pass(between(random, 0, 15_000))
      await process.start()
    } else if (dice < 0.8) {
      const ms = between(random, 1_000, sleepMaxMs)
      note(`sleep ${process.name} ${Math.round(ms / 1_000)} s`)
      process.pause()
      await pass(ms)
      process.wake()
    } else {
      note(`stop ${process.name}`)
      await process.stop()
      await pass(between(random, 0, 5_000))
      await process.start()
    }
    note(`${process.name} is back`)
  }

  async function role(processes: readonly RoleProcess[]): Promise<void> {
    for (const process of processes) calm.set(process, performance.now())
    while (!ending.signal.aborted) {
      await pass(between(random, 4_000, 25_000) / pace)
      if (ending.signal.aborted) return
      const process = processes[random.int(processes.length)]!
      calm.set(process, null)
      await befall(process)
      calm.set(process, performance.now())
    }
  }

  async function crashBroker(): Promise<void> {
    const index = random.int(kafka.brokers.length)
    const ms = between(random, 0, brokerDownMaxMs)
    note(`kill broker ${index} for ${Math.round(ms / 1_000)} s`)
    await kafka.kill(index)
    await pass(ms)
    await kafka.restart(index)
    note(`broker ${index} is back`)
  }

  async function cutConnections(): Promise<void> {
    const share = between(random, 5, 15) / 100
    const ms = between(random, 20_000, 40_000)
    note(
      `cut all connections to Kafka; for ${Math.round(ms / 1_000)} s, ${share * 100} % of the new ones are half-open`,
    )
    for (const proxy of kafka.proxies) {
      proxy.isHalfOpen = () => random.next() < share
      proxy.cutAll()
    }
    await pass(ms)
    // The half-open ones stay half-open.
    for (const proxy of kafka.proxies) proxy.isHalfOpen = () => false
    note('new connections to Kafka work')
  }

  async function delayAnswers(): Promise<void> {
    const ms = between(random, 10_000, 30_000)
    note(`for ${Math.round(ms / 1_000)} s, every response of Kafka takes ${delayMs} ms longer`)
    for (const proxy of kafka.proxies) proxy.delayMs = delayMs
    await pass(ms)
    for (const proxy of kafka.proxies) proxy.delayMs = 0
    note('Kafka responds immediately again')
  }

  const faults = kafka.proxies.length === 0 ? [crashBroker] : [crashBroker, crashBroker, cutConnections, delayAnswers]
  async function brokers(): Promise<void> {
    while (!ending.signal.aborted) {
      await pass(between(random, 30_000, 120_000) / pace)
      if (ending.signal.aborted) return
      await faults[random.int(faults.length)]!()
    }
  }

  const all = Promise.all([...roles.map(role), brokers()])
  // The waiting caller learns of the end.
  all.catch(() => ending.abort())
  return {
    log,
    // Processes of other roles are never disturbed.
    calmSince: (process) => (calm.has(process) ? calm.get(process)! : startedAt),
    async end() {
      ending.abort()
      await all
    },
  }
}
