import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig, roles } from '#config'

describe('configuration', () => {
  it('has a default for everything: an empty environment runs every role on this machine', () => {
    const config = readConfig({})
    expect([...config.roles]).toEqual([...roles])
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', dataDir: '.data', venues: ['polymarket', 'kalshi'] })
  })

  it('names every wrong variable at once', () => {
    const read = () =>
      readConfig({ PORT: 'x', ROLES: 'ingest,cook', DATABASE_URL: 'mysql://x', CLICKHOUSE_URL: 'ftp://x' })
    expect(read).toThrow(/PORT[\s\S]*ROLES[\s\S]*"cook"[\s\S]*DATABASE_URL[\s\S]*CLICKHOUSE_URL/)
  })

  it('refuses single roles without the bus that joins them', () => {
    expect(() => readConfig({ ROLES: 'gateway' })).toThrow(/KAFKA_BROKERS/)
    expect(readConfig({ ROLES: 'gateway', KAFKA_BROKERS: 'a:1, b:2' }).kafkaBrokers).toEqual(['a:1', 'b:2'])
  })

  it('reads an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
  })

  it('finds venue settings by venue and name', () => {
    expect(readConfig({ CROSSBOOK_POLYMARKET_CLOB_URL: 'http://x' }).venueSetting('polymarket', 'CLOB_URL')).toBe(
      'http://x',
    )
  })

  it('is what docker-compose.yml sets: every name there is one the code reads', () => {
    const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
    const source = readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8')
    const set = [
      ...compose.matchAll(
        /\b(DATABASE_URL|CLICKHOUSE_URL|KAFKA_BROKERS|HOST|PORT|ROLES|CROSSBOOK_[A-Z_]+|DATA_DIR|VENUES|LOG_LEVEL)\b\s*:/g,
      ),
    ].map((match) => match[1]!)
    expect(new Set(set)).toEqual(
      new Set([
        'DATABASE_URL',
        'CLICKHOUSE_URL',
        'KAFKA_BROKERS',
        'HOST',
        'PORT',
        'ROLES',
        'CROSSBOOK_ARBITRAGE_INTERVAL_MS',
      ]),
    )
    for (const name of set) expect(source, name).toContain(`${name}:`)
    const started = [...compose.matchAll(/, ROLES: (\w+)/g)].map((match) => match[1])
    expect(started.sort()).toEqual([...roles].sort())
  })
})
