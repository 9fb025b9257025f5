// Brokers that require TLS and a user name with password, as managed clusters do.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { probeKafka } from '#storage/kafka/probe'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { hasKafka } from '#test/support/kafka/installed'

const username = 'crossbook'
const password = 'a-password-of-the-test'

describe.runIf(hasKafka)('a broker that requires TLS and SCRAM', () => {
  let dir: string
  let authority: string
  let kafka: KafkaCluster
  const accessOf = (given: Record<string, string>) =>
    readConfig({ KAFKA_BROKERS: kafka.secureBrokers.join(), KAFKA_TLS: 'true', ...given }).kafkaAccess
  const right = () => ({
    KAFKA_TLS_CA_FILE: authority,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  })

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'crossbook-kafka-tls-'))
    authority = join(dir, 'certificate.pem')
    const key = join(dir, 'key.pem')
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', authority], { stdio: 'pipe' })
    const certificate = join(dir, 'both.pem')
    writeFileSync(certificate, readFileSync(key, 'utf8') + readFileSync(authority, 'utf8'))
    kafka = await startKafka({ secure: { certificate, username, password } })
  }, 120_000)
  afterAll(async () => {
    await kafka?.stop()
    rmSync(dir, { recursive: true, force: true })
  }, 60_000)

  it('carries messages', async () => {
    const bus = await createKafkaBus({
      brokers: kafka.secureBrokers,
      access: accessOf(right()),
      clientId: 'secure',
      clock: systemClock,
      log: silentLog,
    })
    try {
      const seen: unknown[] = []
      await bus.subscribe('marketStatus', (update) => seen.push(update))
      const update = { venue: 'kalshi', marketId: 'A', status: 'active' } as never
      bus.publish('marketStatus', 'kalshi:A', update)
      await vi.waitFor(() => expect(seen).toEqual([update]), 20_000)
    } finally {
      await bus.close()
    }
  })

  it('rejects a wrong password, and a certificate of an unknown authority', async () => {
    const connectWith = async (given: Record<string, string>): Promise<string> => {
      const probe = probeKafka(kafka.secureBrokers, 'probe', accessOf(given))
      const outcome = await probe.check(AbortSignal.timeout(10_000)).then(
        () => 'connected',
        (error: Error) => error.message,
      )
      await probe.close()
      return outcome
    }
    await vi.waitFor(async () => expect(await connectWith(right())).toBe('connected'), 20_000)
    expect(await connectWith({ ...right(), KAFKA_SASL_PASSWORD: 'wrong' })).toMatch(/authentication/i)
    const { KAFKA_TLS_CA_FILE: _, ...unknown } = right()
    expect(await connectWith(unknown)).toMatch(/self.signed certificate/i)
  })
})

it('hides the broker password in the configuration', () => {
  const { kafkaAccess } = readConfig({
    KAFKA_BROKERS: 'a:1',
    KAFKA_SASL_MECHANISM: 'scram-sha-256',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  })
  expect(JSON.stringify(kafkaAccess)).not.toContain(password)
  expect(kafkaAccess.sasl?.password.reveal()).toBe(password)
})

it.each([
  [{ KAFKA_SASL_MECHANISM: 'scram-sha-512' }, ['KAFKA_SASL_USERNAME:', 'KAFKA_SASL_PASSWORD:', 'KAFKA_BROKERS:']],
  [{ KAFKA_SASL_PASSWORD: password }, ['KAFKA_SASL_MECHANISM:']],
  [{ KAFKA_SASL_MECHANISM: 'plain' }, ['KAFKA_TLS:']],
  [{ KAFKA_SASL_MECHANISM: 'kerberos' }, ['KAFKA_SASL_MECHANISM:']],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: '/nonexistent.pem' }, ['KAFKA_TLS_CA_FILE:']],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: 'package.json' }, ['KAFKA_TLS_CERT_FILE:', 'KAFKA_TLS_KEY_FILE:']],
])('rejects %j, naming every wrong or missing variable and without the password', (given, named) => {
  let message = ''
  try {
    readConfig(given as Record<string, string>)
  } catch (error) {
    message = (error as Error).message
  }
  for (const name of named) expect(message).toContain(name)
  expect(message).not.toContain(password)
})
