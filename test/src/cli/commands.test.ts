// The command line as a program: every command documents its options, prints JSON on request, and nothing else on standard output.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { accountsCreate, accountsList, accountsShow } from '#cli/accounts'
import { capsList, capsSet } from '#cli/caps'
import { creditsGrant, creditsList } from '#cli/credits'
import { halt, halts, resume } from '#cli/halts'
import { addArguments, addGatewayOptions, addJsonOption, connectionOf } from '#cli/options'
import { showProgress } from '#cli/progress'
import { jsonOf, type Lines } from '#core/commandOutput'
import { keysCreate, keysList, keysRevoke, keysRotate } from '#platform/auth/cli'
import { projectRoot } from '#test/support/compose'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const recordsOf = (lines: Lines): Record<string, unknown>[] =>
  jsonOf(lines).map((line) => JSON.parse(line) as Record<string, unknown>)

const help = async (...words: string[]): Promise<string> =>
  (
    await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/cli.ts', ...words, '--help'],
      { cwd: projectRoot },
    )
  ).stdout

/** `a b` works on the database and has its own key option; `c` and `mcp` call a gateway. */
function commandsWithWords(): { program: Command; ran: object[] } {
  const ran: object[] = []
  const program = new Command('p').exitOverride().configureOutput({ writeErr: () => undefined })
  const run = (options: object): void => void ran.push({ ...options })
  program.command('a').command('b').option('--key <keyId>').action(run)
  addGatewayOptions(program.command('c')).action(run)
  addGatewayOptions(program.command('mcp')).action(run)
  addJsonOption(program)
  addArguments(program)
  return { program, ran }
}

describe('options', () => {
  it('are listed by --help, the common ones once', async () => {
    const output = await help()
    expect(output).toMatch(/--json[\s\S]*standard error, at a terminal only[\s\S]*--url, --key/)
    expect(await help('keys', 'create')).toMatch(/--json +print JSON, one object per line/)
  }, 120_000)

  it('are accepted by every command without a protocol of its own', () => {
    const program = new Command('p')
    program.command('a').command('b')
    addGatewayOptions(program.command('c')).option('--json', 'rows')
    program.command('mcp')
    addJsonOption(program)
    const optionsOf = (command: Command): (string | undefined)[] => command.options.map(({ long }) => long)
    const [a, c, mcp] = program.commands as [Command, Command, Command]
    expect(
      [a.commands[0]!, c, mcp].map((command) => optionsOf(command).filter((long) => long === '--json').length),
    ).toEqual([1, 1, 0])
    expect(optionsOf(c)).toEqual(['--url', '--key', '--api-key', '--json'])
  })

  it.each([
    ['--json --url http://x:1 --key k c', { json: true, url: 'http://x:1', key: 'k' }],
    ['c --json --url http://x:1 --key k', { json: true, url: 'http://x:1', key: 'k' }],
    ['--url http://x:1 c --url http://y:2', { url: 'http://y:2' }],
    ['--json a b', { json: true }],
    ['a --json b --key id', { json: true, key: 'id' }],
    ['--json a --json b --json', { json: true }],
    ['a b', {}],
  ])('may come before or after the command: %s', async (words, wanted) => {
    const { program, ran } = commandsWithWords()
    await program.parseAsync(words.split(' '), { from: 'user' })
    expect(ran).toEqual([wanted])
  })

  it.each([
    ['--key k a b', "'b' calls no gateway, and takes no --key before it"],
    ['--url http://x:1 a b', "'b' calls no gateway"],
    ['--json mcp', "'mcp' takes no --json"],
  ])('are rejected before a command that does not use them: %s', async (words, because) => {
    const { program, ran } = commandsWithWords()
    await expect(program.parseAsync(words.split(' '), { from: 'user' })).rejects.toThrow(because)
    expect(ran).toEqual([])
  })

  it('override the gateway address of the environment, and a malformed address is rejected', () => {
    const settings = { url: 'http://env:1', apiKey: 'env', dataDir: '/nowhere' }
    expect(connectionOf({}, settings)).toEqual({ url: 'http://env:1', apiKey: 'env' })
    expect(connectionOf({ url: 'https://x/', key: 'k', apiKey: 'old' }, settings)).toEqual({
      url: 'https://x',
      apiKey: 'k',
    })
    expect(connectionOf({ apiKey: 'old' }, settings).apiKey).toBe('old')
    expect(() => connectionOf({ url: 'x:1' }, settings)).toThrow('--url takes')
    expect(() => connectionOf({}, { dataDir: '/nowhere' })).toThrow('--key')
  })
})

it('prints records as JSON: numbers are numbers, and unknown values are null', async () => {
  const { pool } = postgres
  expect(jsonOf(await keysList(pool))).toEqual([])
  const [issued] = recordsOf(await keysCreate(pool, { account: 'acme', plan: 'pro', scopes: 'read,trade' }))
  expect(issued).toMatchObject({
    account: 'acme',
    plan: 'pro',
    scopes: ['read', 'trade'],
    apiKey: expect.stringMatching(/^xb_/),
  })
  const keyId = issued!.keyId as string
  const listed = jsonOf(await keysList(pool))
  expect(listed.join('')).not.toContain(issued!.apiKey)
  expect(JSON.parse(listed[0]!)).toMatchObject({ keyId, account: 'acme', live: true, lastUsedDay: null })
  const [rotated] = recordsOf(await keysRotate(pool, keyId, { grace: '60' }))
  expect(rotated).toMatchObject({ replaces: keyId, graceSeconds: 60 })
  expect(recordsOf(await keysRevoke(pool, rotated!.keyId as string))).toEqual([{ revoked: rotated!.keyId }])

  await accountsCreate(pool, 'idle')
  const [granted] = recordsOf(await creditsGrant(pool, { account: 'acme', credits: '5', reason: 'test', by: 'me' }))
  expect(granted).toMatchObject({ granted: 5, balance: expect.any(Number) })
  expect(recordsOf(await capsSet(pool, { account: 'acme', dailyUsd: '10' }))[0]).toMatchObject({ dailyUsd: 10 })
  expect(recordsOf(await accountsList(pool))).toContainEqual(expect.objectContaining({ account: 'idle', liveKeys: 0 }))
  expect(recordsOf(await accountsShow(pool, 'acme'))[0]).toMatchObject({
    account: 'acme',
    caps: [{ key: null, dailyUsd: 10, reservedUsd: 0 }],
  })
  expect(recordsOf(await creditsList(pool))).toContainEqual(expect.objectContaining({ kind: 'grant', credits: 5 }))
  expect(recordsOf(await capsList(pool))[0]).toMatchObject({ account: 'acme', scope: 'account', dailyUsd: 10 })

  await halt(pool, { venue: 'kalshi', reason: 'test', by: 'me' })
  expect(recordsOf(await halts(pool))).toMatchObject([{ account: null, venue: 'kalshi', setBy: 'operator' }])
  const lifted = recordsOf(await resume(pool, { venue: 'kalshi', reason: 'test', by: 'me' }))
  expect(lifted).toEqual([{ resumed: 'all accounts at kalshi', stillHalted: [] }])
  expect(jsonOf(['a sentence'])).toEqual(['{"message":"a sentence"}'])
})

it('prints progress only at a terminal, and overwrites it', () => {
  const written: string[] = []
  const out = { columns: 20, write: (text: string | Uint8Array) => written.push(String(text)) > 0 }
  const file = showProgress({ ...out, isTTY: false })
  file.show('asking')
  file.done()
  expect(written).toEqual([])
  const terminal = showProgress({ ...out, isTTY: true })
  // Without progress there is nothing to clear.
  terminal.done()
  terminal.show('asking sixteen venues at once')
  terminal.done()
  expect(written).toEqual(['\r\x1b[Kasking sixteen venu', '\r\x1b[K'])
})
