// Probes the brokers on a separate connection. If a broker hangs the next one is tried, all within a probe's time limit.
import { type Admin, Kafka, logLevel } from 'kafkajs'
import type { StoreProbe } from '../probe.ts'
import { accessOptions, type KafkaAccess } from './access.ts'

const brokerMs = 700
/** No request of the protocol returns a version. Brokers before Kafka 4 have it in their configuration, as 3.9-IV0. */
const versionSetting = 'inter.broker.protocol.version'
/** `ConfigResourceTypes.BROKER`, which Node cannot import by its name. */
const brokerResource = 4

export function probeKafka(brokers: readonly string[], clientId: string, access: KafkaAccess = {}): StoreProbe {
  const kafka = new Kafka({
    clientId: `${clientId}-probe`,
    brokers: [...brokers],
    ...accessOptions(access),
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

  async function connected(): Promise<Admin> {
    if (admin === null) {
      admin = kafka.admin()
      await admin.connect()
    }
    return admin
  }

  return {
    part: 'kafka',
    async check() {
      try {
        await (await connected()).describeCluster()
      } catch (error) {
        // The next probe uses a new connection; this one may never disconnect.
        leave().catch(() => undefined)
        throw error
      }
    },
    async version() {
      const connection = await connected()
      const { controller, brokers: there } = await connection.describeCluster()
      const name = String(controller ?? there[0]?.nodeId)
      const resource = { type: brokerResource, name, configNames: [versionSetting] }
      const { resources } = await connection.describeConfigs({ includeSynonyms: false, resources: [resource] })
      const entry = resources[0]?.configEntries.find(({ configName }) => configName === versionSetting)
      return entry?.configValue.replace(/-IV\d+$/, '') ?? null
    },
    close: leave,
  }
}
