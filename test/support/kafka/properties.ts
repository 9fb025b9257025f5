// A broker's configuration file, and the id of the cluster whose data is in a folder.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BrokerPorts {
  broker: number
  controller: number
  secure: number
  client: number
  proxy: number
}

export interface Secure {
  /** A PEM file with key and certificate for 127.0.0.1. */
  certificate: string
  username: string
  password: string
}

export const dataFolder = (home: string, index: number): string => join(home, `data-${index}`)
const metaFile = (home: string, index: number): string => join(dataFolder(home, index), 'meta.properties')
export const isFormatted = (home: string, index: number): boolean => existsSync(metaFile(home, index))

/** The id of the brokers whose data is there; otherwise a new one, as in every new Kafka. */
export function clusterIdIn(home: string, count: number): string {
  for (let index = 0; index < count; index++) {
    if (!isFormatted(home, index)) continue
    const found = /^cluster\.id=(\S+)$/m.exec(readFileSync(metaFile(home, index), 'utf8'))?.[1]
    if (found !== undefined) return found
  }
  // Kafka's tools treat a leading hyphen as an option.
  return randomBytes(16).toString('base64url').replace(/^-/, 'A')
}

export function propertiesText({
  home,
  index,
  ports,
  secure,
  proxied,
}: {
  home: string
  index: number
  ports: readonly BrokerPorts[]
  secure: Secure | undefined
  proxied: boolean
}): string {
  const count = ports.length
  const entry = ports[index]!
  const voters = ports.map(({ controller }, i) => `${i + 1}@127.0.0.1:${controller}`).join(',')
  const listeners = [
    { name: 'PLAINTEXT', port: entry.broker, advertised: entry.broker },
    { name: 'CONTROLLER', port: entry.controller, advertised: null },
    ...(secure ? [{ name: 'SASL_SSL', port: entry.secure, advertised: entry.secure }] : []),
    ...(proxied ? [{ name: 'CLIENT', port: entry.client, advertised: entry.proxy }] : []),
  ]
  const listed = listeners.map(({ name, port }) => `${name}://127.0.0.1:${port}`)
  const advertised = listeners.flatMap(({ name, advertised: shown }) =>
    shown === null ? [] : [`${name}://127.0.0.1:${shown}`],
  )
  return [
    'process.roles=broker,controller',
    `node.id=${index + 1}`,
    `controller.quorum.voters=${voters}`,
    `listeners=${listed.join(',')}`,
    `advertised.listeners=${advertised.join(',')}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,CLIENT:PLAINTEXT',
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    `log.dirs=${dataFolder(home, index)}`,
    `offsets.topic.replication.factor=${count}`,
    `default.replication.factor=${count}`,
    `min.insync.replicas=${count === 3 ? 2 : 1}`,
    `transaction.state.log.replication.factor=${count}`,
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'group.min.session.timeout.ms=500',
    'offsets.topic.num.partitions=4',
    'num.network.threads=2',
    'num.io.threads=4',
    'auto.create.topics.enable=false',
    ...(secure
      ? [
          'sasl.enabled.mechanisms=SCRAM-SHA-512',
          'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;',
          'ssl.keystore.type=PEM',
          `ssl.keystore.location=${secure.certificate}`,
        ]
      : []),
    '',
  ].join('\n')
}
