// How brokers are reached: over TLS or not, and as whom.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { family, flag } from './envReaders.ts'

/** A secret that neither JSON nor a log shows. */
const sealed = (text: string): { reveal(): string } => ({ reveal: () => text })

/** The content of a PEM file. */
const pemFile = z
  .string()
  .optional()
  .transform((path, context) => {
    if (path === undefined) return undefined
    try {
      const text = readFileSync(path, 'utf8')
      if (text.includes('-----BEGIN ')) return text
      context.addIssue({ code: 'custom', message: `${path} is not a PEM file` })
    } catch (error) {
      context.addIssue({ code: 'custom', message: `${path} cannot be read (${(error as NodeJS.ErrnoException).code})` })
    }
    return z.NEVER
  })

export const kafka = family(
  {
    /** Of what this process sends: every process reads both. */
    KAFKA_COMPRESSION: z.enum(['zstd', 'none']).default('zstd'),
    KAFKA_TLS: flag(false),
    /** Signs the brokers' certificates, where no public authority does. */
    KAFKA_TLS_CA_FILE: pemFile,
    /** Of this client, where brokers ask for one. */
    KAFKA_TLS_CERT_FILE: pemFile,
    KAFKA_TLS_KEY_FILE: pemFile,
    KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
    KAFKA_SASL_USERNAME: z.string().min(1).optional(),
    KAFKA_SASL_PASSWORD: z.string().min(1).optional(),
  },
  (value) => ({
    compression: value.KAFKA_COMPRESSION,
    tls: value.KAFKA_TLS
      ? {
          ca: value.KAFKA_TLS_CA_FILE,
          cert: value.KAFKA_TLS_CERT_FILE,
          key: value.KAFKA_TLS_KEY_FILE === undefined ? undefined : sealed(value.KAFKA_TLS_KEY_FILE),
        }
      : undefined,
    sasl:
      value.KAFKA_SASL_MECHANISM === undefined
        ? undefined
        : {
            mechanism: value.KAFKA_SASL_MECHANISM,
            username: value.KAFKA_SASL_USERNAME ?? '',
            password: sealed(value.KAFKA_SASL_PASSWORD ?? ''),
          },
  }),
)

type Given = Readonly<Record<string, string | undefined>>

/** Variables of this family that are required by others and missing, one line each. */
export function missingForKafka(given: Given): string[] {
  const has = (name: string): boolean => given[name] !== undefined
  const isTls = flag(false).safeParse(given.KAFKA_TLS).data === true
  const missing: string[] = []
  for (const name of ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'])
    if (has('KAFKA_SASL_MECHANISM') && !has(name)) missing.push(`${name}: required by KAFKA_SASL_MECHANISM`)
    else if (has(name) && !has('KAFKA_SASL_MECHANISM')) missing.push(`KAFKA_SASL_MECHANISM: required by ${name}`)
  for (const [name, other] of [
    ['KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'],
    ['KAFKA_TLS_KEY_FILE', 'KAFKA_TLS_CERT_FILE'],
  ] as const)
    if (has(name) && !has(other)) missing.push(`${other}: required by ${name}`)
  for (const name of ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERT_FILE'])
    if (has(name) && !isTls) missing.push(`KAFKA_TLS: must be true for ${name} to have an effect`)
  if (given.KAFKA_SASL_MECHANISM === 'plain' && !isTls)
    missing.push('KAFKA_TLS: required by KAFKA_SASL_MECHANISM=plain, which would send the password in clear text')
  if ((isTls || has('KAFKA_SASL_MECHANISM')) && !has('KAFKA_BROKERS'))
    missing.push('KAFKA_BROKERS: required by KAFKA_TLS and KAFKA_SASL_MECHANISM')
  return missing
}
