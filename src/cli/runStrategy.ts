// `crossbook run`: runs a strategy against a gateway, with the real client and clock. The key decides: `xb_paper_…` trades on paper.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { loadStrategy, logJson, readMarketNames } from '#backtest/index'
import { systemClock } from '#core/clock'
import { pause } from '#core/pause'
import { createClient, type Signer, type StrategyContext, type Stream, sign } from '#sdk/typescript/src/index'
import { readParam } from './backtest.ts'
import { type ClientSettings, connectionOf, type GatewayOptions } from './options.ts'
import { printError, whenInterrupted } from './output.ts'
import { createOrderRefresher } from './refreshOrders.ts'
import { createVenueCredentials } from './venueCredentials.ts'

export interface RunOptions extends GatewayOptions {
  strategy: string
  markets: string
  param: string[]
  credentials?: string
  python?: string
}

interface RunSettings extends ClientSettings {
  walletKey?: string | undefined
}

/** By venue, the fields of its submits and refreshes. */
const Credentials = z.record(z.string(), z.record(z.string(), z.string()))

export async function runStrategy(options: RunOptions, settings: RunSettings): Promise<void> {
  const { url, apiKey } = connectionOf(options, settings)
  const markets = readMarketNames(options.markets)
  const params = Object.fromEntries(options.param.map(readParam))
  const strategy = await loadStrategy(options.strategy)
  if (strategy.kind === 'python') return runPython(strategy.file, { url, apiKey }, options)
  const isPaper = apiKey.startsWith('xb_paper_')
  const given = isPaper || options.credentials === undefined ? {} : await readCredentials(options.credentials)
  const wallet = settings.walletKey === undefined ? null : accountOf(settings.walletKey)
  const stopping = new AbortController()
  const streams = new Set<Stream>()
  const client = createClient({ baseUrl: url, apiKey, retry: { retries: 6 } })
  whenInterrupted(() => {
    stopping.abort()
    for (const stream of streams) stream.close()
  })
  const credentials = createVenueCredentials(client, given)
  const refresher = createOrderRefresher({ client, credentials, signal: stopping.signal, log: printError })
  const context: StrategyContext = {
    client: {
      ...client,
      stream(given) {
        const stream = client.stream(given)
        streams.add(stream)
        return stream
      },
    },
    clock: { now: () => systemClock.now(), sleep: (ms) => pause(systemClock, Math.max(1, ms), stopping.signal) },
    log: (message, data) => printError(data === undefined ? message : `${message} ${logJson(data)}`),
    signal: stopping.signal,
    ...{ params, markets, random: Math.random, owner: wallet?.address ?? null },
    async authorize(built) {
      if (isPaper) return {}
      refresher.follow(built)
      const signed = wallet === null ? {} : await sign(built, wallet.signer)
      return { ...signed, ...(await credentials.of(built.venue))?.submit }
    },
  }
  const refreshing = isPaper ? null : refresher.run()
  try {
    await strategy.run(context)
  } catch (error) {
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exitCode = 1
  } finally {
    stopping.abort()
    for (const stream of streams) stream.close()
    await refreshing
  }
}

async function readCredentials(path: string): Promise<z.infer<typeof Credentials>> {
  const parsed = Credentials.safeParse(JSON.parse(await readFile(path, 'utf8')))
  // Its content is never shown.
  if (!parsed.success)
    throw new Error('--credentials takes a JSON file: by venue, the fields of its submits and refreshes')
  return parsed.data
}

function accountOf(key: string): { address: string; signer: Signer } {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error('CROSSBOOK_WALLET_KEY must be 0x and 64 hex digits')
  const account = privateKeyToAccount(key as `0x${string}`)
  return { address: account.address, signer: account as unknown as Signer }
}

/** The key passes through standard input: arguments are visible to other users. */
function runPython(file: string, { url, apiKey }: { url: string; apiKey: string }, options: RunOptions): Promise<void> {
  const given = options.param.flatMap((param) => ['--param', param])
  const credentials = options.credentials === undefined ? [] : ['--credentials', options.credentials]
  const args = ['-m', 'crossbook.strategy', file, '--url', url, '--key', '-']
  args.push('--markets', options.markets, ...given, ...credentials)
  const child = spawn(options.python ?? 'python3', args, { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin!.on('error', () => undefined)
  child.stdin!.end(`${apiKey}\n`)
  // The terminal interrupts both; this process waits for the other's end.
  whenInterrupted(() => undefined)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.exitCode = code ?? 1
      resolve()
    })
  })
}
