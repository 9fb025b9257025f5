// The brokers as they answer a connection of their own. One that hangs is given up for the next, all within the time a probe has.
import { type Admin, Kafka, logLevel } from 'kafkajs'
import type { Probe } from '../probe.ts'

const brokerMs = 700

export function probeKafka(brokers: readonly string[], clientId: string): Probe {
  const kafka = new Kafka({
    clientId: `${clientId}-probe`,
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: brokerMs,
    requestTimeout: brokerMs,
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 100 },
  })
  let admin: Admin | null = null

  async function leave(): Promise<void> {
    const left = admin
    admin = null
    await left?.disconnect()
  }

  return {
    part: 'bus',
    async ask() {
      try {
        if (admin === null) {
          admin = kafka.admin()
          await admin.connect()
        }
        await admin.describeCluster()
      } catch (error) {
        // The next question goes over a new connection; this one may never hang up.
        leave().catch(() => undefined)
        throw error
      }
    },
    close: leave,
  }
}
