// How brokers are reached, as the client library takes it. Secrets are revealed here alone.
import type { KafkaConfig, SASLOptions } from 'kafkajs'

export interface KafkaAccess {
  /** PEM texts; undefined: without TLS. */
  tls?: { ca?: string | undefined; cert?: string | undefined; key?: { reveal(): string } | undefined } | undefined
  /** Undefined: without a name. */
  sasl?: { mechanism: SaslMechanism; username: string; password: { reveal(): string } } | undefined
}

type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

export function accessOptions({ tls, sasl }: KafkaAccess): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return {
    ...(tls !== undefined && {
      ssl: {
        ...(tls.ca !== undefined && { ca: [tls.ca] }),
        ...(tls.cert !== undefined && { cert: tls.cert }),
        ...(tls.key !== undefined && { key: tls.key.reveal() }),
      },
    }),
    ...(sasl !== undefined && {
      sasl: {
        mechanism: sasl.mechanism,
        username: sasl.username,
        password: sasl.password.reveal(),
      } as SASLOptions,
    }),
  }
}
