// `npm run cluster` as docs/cluster.md prints it: what it starts and prints, how it ends, and the state after the next start.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { sampleOf } from '#test/support/docs/samples'
import { hasKafka } from '#test/support/kafka/installed'
import { shellText } from '#test/support/localCluster/environment'
import { readOptions } from '#test/support/localCluster/options'
import { isLong } from '#test/support/shortRuns'
import { startPrinted } from '../process/printed.ts'
import { cli, descendantsOf, isAlive, runProgram, startProgram } from '../process/program.ts'

const command = 'test/support/localCluster/main.ts'
const roles = ['compute', 'gateway', 'ingest', 'jobs', 'tape']
const readyMs = 240_000
/** The documented limit for a signal, plus some time for a busy machine. */
const endsWithinMs = 25_000

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'crossbook-command-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe('what it refuses before starting anything', () => {
  const refused = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const dataDir = join(home, 'refused')
    const { code, error } = await runProgram(command, words, { DATA_DIR: dataDir, PORT: '0', ...env })
    expect(code).toBe(1)
    expect(existsSync(dataDir)).toBe(false)
    return error
  }

  it('are invalid numbers, and unknown options', async () => {
    expect(await refused(['--brokers', '2'])).toBe('--brokers must be 1 or 3, not 2\n')
    const reading = (...words: string[]) => expect(() => readOptions(words, { PORT: '65535' }))
    reading('--copies', '99').toThrow('--copies must be a whole number from 1 to 8, not 99')
    reading('--copies', '2').toThrow('PORT must be a whole number from 0 to 65534, not 65535')
    reading('--venues', 'kalshi').toThrow('needs --lab')
    reading('--lab', '--venues', 'nowhere').toThrow('not "nowhere"')
    reading('--broker', '3').toThrow('--broker')
  })

  it('is a machine without Java, with instructions to install it', async () => {
    const error = await refused([], { PATH: home })
    expect(error).toMatch(/Kafka needs Java 17 .*apt-get install openjdk-17-jre-headless maven; macOS: brew install/)
  })

  it('is a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expect(await refused([], { PORT: String(port) })).toMatch(
      `port ${port} of 127.0.0.1 is taken: stop the program that listens there, or set PORT to another`,
    )
    server.close()
  })

  it('but not --help', async () => {
    const { code, lines } = await runProgram(command, ['--help'], {})
    expect(code).toBe(0)
    for (const option of ['--brokers', '--copies', '--lab', '--venues', 'DATA_DIR'])
      expect(lines.join('\n')).toContain(option)
  })
})

it('parses its options: simulated and real venues have separate folders, gateways have consecutive ports', () => {
  expect(readOptions([], {})).toMatchObject({
    brokers: 1,
    labVenues: null,
    dataDir: '.data/cluster',
    gatewayPorts: [8080],
  })
  expect(readOptions(['--lab', '--brokers', '3', '--copies', '2'], { PORT: '9000' })).toMatchObject({
    ...{ brokers: 3, copies: 2, labVenues: ['polymarket', 'kalshi'] },
    ...{ dataDir: '.data/cluster-lab', gatewayPorts: [9000, 9001] },
  })
})

it('a shell reads any value back from the file of variables', () => {
  const values = { PEM: '-----BEGIN-----\nA/b+c=\n-----END-----', ODD: `it's "$HOME" \\ \`no\`` }
  const file = join(home, 'environment')
  writeFileSync(file, shellText(values))
  const read = execFileSync('sh', ['-c', `. "${file}" && printf '%s|%s' "$PEM" "$ODD"`]).toString()
  expect(read).toBe(`${values.PEM}|${values.ODD}`)
})

describe.runIf(hasKafka)('the cluster that it starts', () => {
  const dataDir = (): string => join(home, 'data')
  const env = (): Record<string, string> => ({ DATA_DIR: dataDir(), PORT: '0', CROSSBOOK_PINNED_MARKETS: '5' })
  let apiKey: string

  async function servesBooks(served: Served): Promise<void> {
    const outcomeId = await eventually(async () => {
      const { body } = await ask(served, '/api/kalshi/fetchMarkets?limit=1&sort=volume')
      const [market] = body.data as { outcomes: { outcomeId: string }[] }[]
      expect(market).toBeDefined()
      return market!.outcomes[0]!.outcomeId
    })
    await eventually(async () => {
      const { body } = await ask(served, `/api/kalshi/fetchOrderBook?outcomeId=${outcomeId}`)
      expect(body.provenance).toEqual({ source: 'service-live', lab: true })
    }, 60_000)
  }

  it('serves books of simulated venues to the key that it prints, and Ctrl-C ends all of it', async () => {
    const started = await startPrinted(sampleOf('docs/cluster.md', 'npm run cluster'), env())
    const { ready, lines } = started
    apiKey = ready.apiKey
    expect(apiKey).toMatch(/^xb_test_/)
    const printed = lines.join('\n')
    expect(printed).toContain(`${ready.url}/ui#key=${apiKey}`)
    for (const name of ['PostgreSQL', 'ClickHouse', 'Kafka', ...roles])
      expect(printed).toMatch(new RegExp(`^  ${name} `, 'm'))
    await servesBooks(ready)
    // Only their owner can read keys and variables.
    for (const file of ['api.key', 'environment', 'webhook.key', 'conditional.keys', 'runtime.json'])
      expect((statSync(join(dataDir(), file)).mode & 0o777).toString(8), file).toBe('600')
    expect(readFileSync(join(dataDir(), 'environment'), 'utf8')).toMatch(/^export DATABASE_URL='postgres:/m)
    const listed = await cli(dataDir(), 'keys', 'list')
    expect(listed.lines.join('\n'), listed.error).toContain('cluster')
    const all = descendantsOf(started.pid)
    expect(all.length).toBeGreaterThan(roles.length + 3)
    await started.end()
    await eventually(() => expect(all.filter(isAlive)).toEqual([]), endsWithinMs)
  }, 300_000)

  it('continues with the same key after kill -9 of everything', async () => {
    const killed = await startProgram(command, env(), { words: ['--lab'], readyMs })
    expect(killed.ready.apiKey).toBe(apiKey)
    const all = [killed.pid, ...killed.descendants()]
    for (const pid of all) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await eventually(() => expect(all.filter(isAlive)).toEqual([]), endsWithinMs)
  }, 300_000)

  it.runIf(isLong)(
    'leaves nothing behind when only it is killed',
    async () => {
      const killed = await startProgram(command, env(), { words: ['--lab', '--brokers', '1'], readyMs })
      const all = killed.descendants()
      await killed.end('SIGKILL')
      await eventually(() => expect(all.filter(isAlive)).toEqual([]), endsWithinMs)
    },
    300_000,
  )

  it('reports a process that exits by itself, continues, and ends completely with SIGTERM', async () => {
    const program = await startProgram(command, env(), { words: ['--lab'], readyMs })
    expect(program.ready.apiKey).toBe(apiKey)
    const tape = Number(/^ {2}tape +process (\d+)/m.exec(program.output())?.[1])
    process.kill(tape, 'SIGKILL')
    await eventually(() =>
      expect(program.output()).toMatch(/tape ended by itself \(SIGKILL\) and is not started again.*logs\/tape\.log/),
    )
    await servesBooks(program.served)
    const all = [program.pid, ...program.descendants()]
    expect(await program.end('SIGTERM'), program.output()).toBe(0)
    await eventually(() => expect(all.filter(isAlive)).toEqual([]), endsWithinMs)
  }, 300_000)

  it('does not mix simulated and real markets, or change the number of brokers, in one folder', async () => {
    const real = await runProgram(command, [], env())
    expect(real).toMatchObject({ code: 1, error: expect.stringContaining('holds simulated markets: start with --lab') })
    const three = await runProgram(command, ['--lab', '--brokers', '3'], env())
    expect(three).toMatchObject({ code: 1, error: expect.stringMatching(/the Kafka in \S+ has 1 broker, not 3/) })
  }, 120_000)
})
