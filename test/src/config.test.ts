import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkConfig, givenVariables, readConfig, roles } from '#config'
import { unknownVariables } from '#roles/unknownVariables'
import { wrongVenueSettings } from '#roles/venueSettings'
import { builtVenues } from '#schemas/venues'

describe('configuration', () => {
  it('has a default for everything: an empty environment runs every role on this machine', () => {
    const config = readConfig({})
    expect([...config.roles]).toEqual([...roles])
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', dataDir: '.data', venues: [...builtVenues] })
  })

  it('names every wrong variable at once', () => {
    const read = () =>
      readConfig({ PORT: 'x', ROLES: 'ingest,cook', DATABASE_URL: 'mysql://x', CLICKHOUSE_URL: 'ftp://x' })
    expect(read).toThrow(/PORT[\s\S]*ROLES[\s\S]*"cook"[\s\S]*DATABASE_URL[\s\S]*CLICKHOUSE_URL/)
  })

  it('uses defaults for wrong variables, with an error line for each', () => {
    const { config, wrong } = checkConfig({ PORT: 'x', VENUES: 'kalshi', CROSSBOOK_SPORTS: 'maybe', DATA_DIR: 'd' })
    expect(wrong.map((line) => line.split(':')[0])).toEqual(['PORT', 'CROSSBOOK_SPORTS'])
    expect(config).toMatchObject({ port: 8080, venues: ['kalshi'], sports: { enabled: false }, dataDir: 'd' })
  })

  it('leaves open orders and venue metrics disabled by default', () => {
    expect(readConfig({})).toMatchObject({ openOrders: false, venueMetrics: false })
    const enabled = readConfig({ CROSSBOOK_OPEN_ORDERS: 'true', CROSSBOOK_VENUE_METRICS: '1' })
    expect(enabled).toMatchObject({ openOrders: true, venueMetrics: true })
    expect(() => readConfig({ CROSSBOOK_OPEN_ORDERS: 'yes' })).toThrow('CROSSBOOK_OPEN_ORDERS:')
  })

  it('serves metrics on a separate port if one is set, on loopback by default, and allows the configured page origins', () => {
    expect(readConfig({})).toMatchObject({ operations: undefined, cors: { origins: [] } })
    expect(readConfig({ CROSSBOOK_OPERATIONS_PORT: '9100' }).operations).toEqual({ port: 9100, host: '127.0.0.1' })
    expect(() => readConfig({ CROSSBOOK_OPERATIONS_PORT: '70000' })).toThrow('CROSSBOOK_OPERATIONS_PORT:')
    expect(() => readConfig({ CROSSBOOK_OPERATIONS_HOST: 'everywhere' })).toThrow('CROSSBOOK_OPERATIONS_HOST:')
    const origins = 'https://app.example.com, http://localhost:5173'
    expect(readConfig({ CROSSBOOK_CORS_ORIGINS: origins }).cors.origins).toEqual(origins.split(', '))
    for (const wrong of ['https://app.example.com/', 'app.example.com', 'https://*.example.com', 'null'])
      expect(() => readConfig({ CROSSBOOK_CORS_ORIGINS: wrong }), wrong).toThrow('CROSSBOOK_CORS_ORIGINS:')
  })

  it('splits the markets of the named venues, and of no other', () => {
    expect(readConfig({}).ingestParts).toEqual(new Map())
    const given = { CROSSBOOK_INGEST_PARTS: ' polymarket:4, kalshi:2,gemini:1' }
    expect(readConfig(given).ingestParts).toEqual(
      new Map([
        ['polymarket', 4],
        ['kalshi', 2],
        ['gemini', 1],
      ]),
    )
    for (const [wrong, why] of [
      ['polymarket', 'not "polymarket"'],
      ['polymarket:two', 'not "polymarket:two"'],
      ['polymarket:2:3', 'not "polymarket:2:3"'],
      ['polymarket:0', '1 to 16 parts, not 0'],
      ['polymarket:17', '1 to 16 parts, not 17'],
      ['polymarkt:2', 'knows no venue "polymarkt"'],
      ['kalshi:2,kalshi:3', 'names kalshi twice'],
      ['polymarket:16,kalshi:16,gemini:16,limitless:16,opinion:2', 'names 66 parts'],
    ] as const)
      expect(() => readConfig({ CROSSBOOK_INGEST_PARTS: wrong }), wrong).toThrow(
        new RegExp(`CROSSBOOK_INGEST_PARTS: .*${why}`),
      )
  })

  it('names missing variables together with all other errors', () => {
    const read = () =>
      readConfig({
        PORT: 'x',
        ROLES: 'gateway',
        CROSSBOOK_WEBHOOKS: 'true',
        CROSSBOOK_TRUSTED_PROXIES: '10.0.0.1',
        CROSSBOOK_KALSHI_BLOCKED_COUNTRIES: 'usa',
      })
    const expectedNames = [
      'PORT:',
      'KAFKA_BROKERS:',
      'DATABASE_URL:',
      'CLICKHOUSE_URL:',
      'CROSSBOOK_COUNTRY_HEADER:',
      'CROSSBOOK_WEBHOOK_SECRET_KEY:',
      'CROSSBOOK_KALSHI_BLOCKED_COUNTRIES:',
    ]
    for (const name of expectedNames) expect(read).toThrow(name)
  })

  it('reads overrides of what plans include, and names errors in them', () => {
    expect(readConfig({}).plans).toEqual({})
    const given = { free: { creditsPerMonth: 1_000, features: { replay: true } }, pro: { historyDays: null } }
    expect(readConfig({ CROSSBOOK_PLANS: JSON.stringify(given) }).plans).toEqual(given)
    for (const [text, complaint] of [
      ['free', /must be JSON/],
      ['{"gold":{}}', /CROSSBOOK_PLANS.*gold/],
      ['{"free":{"credits":1}}', /free.*credits/],
      ['{"free":{"requestsPerMinute":-1}}', /free\.requestsPerMinute/],
    ] as const)
      expect(() => readConfig({ CROSSBOOK_PLANS: text })).toThrow(complaint)
  })

  it('has reference feeds disabled, with Binance’s own addresses and no node; names errors in their settings', () => {
    expect(readConfig({}).feeds).toEqual({
      enabled: false,
      binance: { restUrl: 'https://data-api.binance.vision', wsUrl: 'wss://data-stream.binance.vision', pairs: [] },
      chainlink: { chain: 'arbitrum', rpcUrls: [], staleSeconds: 90_000 },
    })
    const given = {
      CROSSBOOK_BINANCE_PAIRS: 'BTC/USDT, 1INCH/USDC',
      CROSSBOOK_CHAINLINK_RPC_URL: 'http://a/x,https://b',
    }
    expect(readConfig(given).feeds).toMatchObject({
      binance: { pairs: ['BTC/USDT', '1INCH/USDC'] },
      chainlink: { rpcUrls: ['http://a/x', 'https://b'] },
    })
    const wrong = {
      CROSSBOOK_FEEDS: 'yes',
      CROSSBOOK_BINANCE_REST_URL: 'wss://x',
      CROSSBOOK_BINANCE_WS_URL: 'https://x',
      CROSSBOOK_BINANCE_PAIRS: 'BTCUSDT',
      CROSSBOOK_CHAINLINK_CHAIN: 'solana',
      CROSSBOOK_CHAINLINK_RPC_URL: 'ws://x',
      CROSSBOOK_CHAINLINK_STALE_SECONDS: '59',
    }
    for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name)
    const many = Array.from({ length: 101 }, (_, n) => `A${n}/USDT`).join()
    expect(() => readConfig({ CROSSBOOK_BINANCE_PAIRS: many })).toThrow(/at most 100/)
  })

  it('refuses single roles without a bus between them', () => {
    expect(() => readConfig({ ROLES: 'gateway' })).toThrow(/KAFKA_BROKERS/)
    const stores = { DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' }
    expect(readConfig({ ...stores, ROLES: 'gateway', KAFKA_BROKERS: 'a:1, b:2' }).kafkaBrokers).toEqual(['a:1', 'b:2'])
  })

  it('refuses single roles without the stores they share, and requires no store that a role does not use', () => {
    const wrong = (ROLES: string) => () => readConfig({ ROLES, KAFKA_BROKERS: '127.0.0.1:9' })
    expect(wrong('gateway')).toThrow(/DATABASE_URL[\s\S]*CLICKHOUSE_URL/)
    for (const role of ['ingest', 'compute', 'jobs']) {
      expect(wrong(role)).toThrow(/DATABASE_URL/)
      expect(wrong(role)).not.toThrow(/CLICKHOUSE_URL/)
    }
    expect(wrong('tape')).toThrow(/CLICKHOUSE_URL/)
    expect(wrong('tape')).not.toThrow(/DATABASE_URL/)
  })

  it.each([
    ['HOST', ['bad host', 'http://a', 'a:1', '-a'], ['0.0.0.0', '::1', 'localhost', 'gateway_1.internal']],
    ['CROSSBOOK_POLYGON_WS_URL', ['https://node/key', 'node:8546'], ['ws://127.0.0.1:8546', 'wss://node/v2/key']],
    ['KAFKA_BROKERS', ['xx', 'a:1,b', ',', 'a:0', 'a:65536', 'a b:1'], ['a:1', '[::1]:9092,b.c:65535']],
  ])('accepts %s', (name, wrong, right) => {
    for (const value of wrong) expect(() => readConfig({ [name]: value }), value).toThrow(`${name}:`)
    for (const value of right) expect(() => readConfig({ [name]: value }), value).not.toThrow()
  })

  it('names errors in the settings of venues with all others', () => {
    const read = (environment: Record<string, string>) => () => readConfig(environment, wrongVenueSettings)
    const wrong = {
      PORT: 'x',
      CROSSBOOK_KALSHI_API_KEY_ID: 'id',
      CROSSBOOK_POLYMARKET_CLOB_URL: 'nonsense',
      CROSSBOOK_GEMINI_REST_URL: 'ftp://x',
      CROSSBOOK_GEMINI_BUDGET_PERCENT: '0',
      CROSSBOOK_GEMINI_LANE: 'maybe',
      CROSSBOOK_RAIN_RPC_URL: 'https://one.example/key, ws://two.example',
    }
    const expectedNames = [
      'PORT:',
      'CROSSBOOK_KALSHI_PRIVATE_KEY_PEM:',
      'CROSSBOOK_POLYMARKET_CLOB_URL:',
      'CROSSBOOK_GEMINI_REST_URL:',
      'CROSSBOOK_GEMINI_BUDGET_PERCENT:',
      'CROSSBOOK_GEMINI_LANE:',
      'CROSSBOOK_RAIN_RPC_URL:',
    ]
    for (const name of expectedNames) expect(read(wrong)).toThrow(name)
    const right = {
      CROSSBOOK_KALSHI_API_KEY_ID: 'id',
      CROSSBOOK_KALSHI_PRIVATE_KEY_PEM: 'pem',
      CROSSBOOK_POLYMARKET_CLOB_URL: 'http://127.0.0.1:1',
      CROSSBOOK_GEMINI_BUDGET_PERCENT: '50',
      CROSSBOOK_RAIN_RPC_URL: 'https://one.example/key, http://127.0.0.1:8545',
    }
    expect(read(right)).not.toThrow()
  })

  it('keeps webhooks disabled until each flag is set, and allows deliveries to public addresses only', () => {
    expect(readConfig({}).webhooks).toEqual({ routes: false, executions: false, secretKey: undefined, allow: [] })
    const key = Buffer.alloc(32, 1).toString('base64')
    const enabled = readConfig({
      CROSSBOOK_WEBHOOKS: 'true',
      CROSSBOOK_EXECUTION_WEBHOOKS: '1',
      CROSSBOOK_WEBHOOK_SECRET_KEY: key,
      CROSSBOOK_WEBHOOK_ALLOW: '127.0.0.1:8090, receiver:80,[::1]:9000',
    })
    expect(enabled.webhooks).toEqual({
      routes: true,
      executions: true,
      secretKey: key,
      allow: ['127.0.0.1:8090', 'receiver:80', '[::1]:9000'],
    })
    for (const wrong of ['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])
      expect(() => readConfig({ CROSSBOOK_WEBHOOK_SECRET_KEY: wrong })).toThrow(/CROSSBOOK_WEBHOOK_SECRET_KEY/)
    for (const wrong of ['127.0.0.1', '10.0.0.0/8', '*:80', 'http://a:80', 'A:80'])
      expect(() => readConfig({ CROSSBOOK_WEBHOOK_ALLOW: wrong }), wrong).toThrow(/CROSSBOOK_WEBHOOK_ALLOW/)
  })

  it('uses no LLM judge until its address and model are set, and hides its key', () => {
    expect(readConfig({}).judge).toBeUndefined()
    const given = { CROSSBOOK_JUDGE_URL: 'https://llm.example/v1/', CROSSBOOK_JUDGE_MODEL: 'lab/model-1:free' }
    expect(readConfig(given).judge).toEqual({
      url: 'https://llm.example/v1',
      model: 'lab/model-1:free',
      key: undefined,
      dailyBudget: 300,
    })
    const { judge } = readConfig({ ...given, CROSSBOOK_JUDGE_KEY: 'sk-1', CROSSBOOK_JUDGE_DAILY_BUDGET: '9' })
    expect(judge?.dailyBudget).toBe(9)
    expect(judge?.key?.reveal()).toBe('sk-1')
    expect(JSON.stringify(judge)).not.toContain('sk-1')
    expect(() => readConfig({ CROSSBOOK_JUDGE_URL: given.CROSSBOOK_JUDGE_URL })).toThrow(
      'CROSSBOOK_JUDGE_MODEL: required by CROSSBOOK_JUDGE_URL',
    )
    expect(() => readConfig({ CROSSBOOK_JUDGE_KEY: 'sk-1' })).toThrow(
      'CROSSBOOK_JUDGE_URL: required by CROSSBOOK_JUDGE_KEY',
    )
    for (const url of ['llm.example', 'ftp://x', 'https://u:p@x/v1', 'https://x/v1?key=1', 'https://x/v1#a'])
      expect(() => readConfig({ ...given, CROSSBOOK_JUDGE_URL: url }), url).toThrow('CROSSBOOK_JUDGE_URL:')
    for (const budget of ['0', '2', 'many'])
      expect(() => readConfig({ ...given, CROSSBOOK_JUDGE_DAILY_BUDGET: budget }), budget).toThrow(
        'CROSSBOOK_JUDGE_DAILY_BUDGET:',
      )
  })

  it('requires a key for the signing secrets when registration and delivery are separate processes', () => {
    const gateway = { ROLES: 'gateway', KAFKA_BROKERS: 'a:1', DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' }
    expect(() => readConfig({ ...gateway, CROSSBOOK_WEBHOOKS: 'true' })).toThrow(/CROSSBOOK_WEBHOOK_SECRET_KEY/)
    expect(() => readConfig({ ...gateway, CROSSBOOK_EXECUTION_WEBHOOKS: 'true' })).toThrow(
      /CROSSBOOK_WEBHOOK_SECRET_KEY/,
    )
    expect(readConfig(gateway).webhooks.secretKey).toBeUndefined()
  })

  it('names unknown variables, with the one that was probably meant', () => {
    const misspelled = {
      CROSSBOOK_ARBITRAJE: 'false',
      CROSSBOOK_KALSHI_LAEN: 'true',
      CROSSBOOK_POLYMARKET_CLOB_ULR: 'http://x',
      CROSSBOOK_ZZZZ: '1',
      CROSSBOOK_EMPTY: '',
      HOME: '/root',
    }
    expect(unknownVariables(givenVariables(misspelled))).toEqual([
      'CROSSBOOK_ARBITRAJE: is not known, and has no effect; did you mean CROSSBOOK_ARBITRAGE?',
      'CROSSBOOK_KALSHI_LAEN: is not known, and has no effect; did you mean CROSSBOOK_KALSHI_LANE?',
      'CROSSBOOK_POLYMARKET_CLOB_ULR: is not known, and has no effect; did you mean CROSSBOOK_POLYMARKET_CLOB_URL?',
      'CROSSBOOK_ZZZZ: is not known, and has no effect',
    ])
  })

  it('knows every variable that the documentation names', () => {
    const docs = new URL('../../docs/', import.meta.url)
    const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))
    const text = pages.map((name) => readFileSync(new URL(name, docs), 'utf8')).join('\n')
    const named = [...text.matchAll(/\bCROSSBOOK_[A-Z0-9_]*[A-Z0-9]\b(?![_<{])/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(50)
    expect(unknownVariables([...new Set(named)])).toEqual([])
  })

  it('refuses a port used twice, and a country header without a trusted proxy', () => {
    const twice = { PORT: '9100', CROSSBOOK_OPERATIONS_PORT: '9100' }
    expect(() => readConfig(twice)).toThrow('CROSSBOOK_OPERATIONS_PORT: is 9100, as PORT is')
    expect(() => readConfig({ ...twice, HOST: '0.0.0.0' })).toThrow('CROSSBOOK_OPERATIONS_PORT:')
    expect(readConfig({ ...twice, CROSSBOOK_OPERATIONS_HOST: '127.0.0.2' }).port).toBe(9100)
    expect(readConfig({ PORT: '0', CROSSBOOK_OPERATIONS_PORT: '0' }).port).toBe(0)
    const cluster = { KAFKA_BROKERS: 'a:1', DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' }
    expect(readConfig({ ...twice, ...cluster, ROLES: 'compute' }).port).toBe(9100)
    const countries = { CROSSBOOK_COUNTRY_HEADER: 'cf-ipcountry', CROSSBOOK_BLOCKED_COUNTRIES: 'KP' }
    expect(() => readConfig(countries)).toThrow('CROSSBOOK_TRUSTED_PROXIES: required by CROSSBOOK_COUNTRY_HEADER')
    expect(readConfig({ ...countries, ...cluster, ROLES: 'compute' }).geofence).toBeDefined()
  })

  it('reads an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
  })

  it('finds venue settings by venue and name', () => {
    expect(readConfig({ CROSSBOOK_POLYMARKET_CLOB_URL: 'http://x' }).venueSetting('polymarket', 'CLOB_URL')).toBe(
      'http://x',
    )
  })

  it('covers docker-compose.yml: the code reads every variable set there', () => {
    const written = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    const requiredNames = [...written.matchAll(/\$\{([A-Z_]+):\?[^}]*\}/g)].map((match) => match[1]!)
    expect(new Set(example.match(/^[A-Z_]+(?==$)/gm))).toEqual(new Set(requiredNames))
    // The rest is set, except passwords.
    const compose = written.replaceAll(/\$\{[^}]*\}/g, '')
    expect(compose).not.toMatch(/PASSWORD: *\S|:\/\/\w+:\w+@/)
    const read = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')
    const families = readdirSync(new URL('../../src/config/', import.meta.url))
    const source = [read('config.ts'), ...families.map((name) => read(`config/${name}`))].join('\n')
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
        'CROSSBOOK_CONDITIONAL_KEYS',
        'CROSSBOOK_WEBHOOK_SECRET_KEY',
        'CROSSBOOK_OPERATIONS_HOST',
        'CROSSBOOK_OPERATIONS_PORT',
      ]),
    )
    for (const name of set) expect(source, name).toContain(`${name}:`)
    const started = [...compose.matchAll(/, ROLES: (\w+)/g)].map((match) => match[1])
    expect(started.sort()).toEqual([...roles].sort())
  })
})
