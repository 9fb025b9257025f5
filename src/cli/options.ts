// Words that many commands take, said once: what they are called, what they mean, and where a gateway is found by default.
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { readRuntime } from '#run/runtimeFile'

export interface JsonOption {
  json?: boolean
}

/** Of commands that ask a gateway. */
export interface GatewayOptions {
  url?: string
  key?: string
  /** As `--key` was called before. */
  apiKey?: string
}

export interface ClientSettings {
  url?: string | undefined
  apiKey?: string | undefined
  dataDir: string
}

export const takesGateway = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the gateway; default: CROSSBOOK_URL, then the program running on DATA_DIR')
    .option('--key <key>', 'API key; default: CROSSBOOK_API_KEY, then the demo’s')
    .addOption(new Option('--api-key <key>').hideHelp())

/** Every command prints JSON when it is asked to, whichever it is; those that say more about it have said so. */
export function takeJsonEverywhere(command: Command): void {
  if (command.commands.length > 0) {
    for (const each of command.commands) takeJsonEverywhere(each)
    return
  }
  if (!speaksAProtocol.has(command.name()) && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'print JSON, one object per line')
}

/** Their standard output already carries a protocol. */
const speaksAProtocol: ReadonlySet<string> = new Set(['mcp'])

export const commonWords = `
Every command has --help. Results go to standard output, as JSON lines with --json; progress goes to standard error, at a terminal only.
watch, arb and mcp call a gateway (--url, --key); the others work on the database of the program running on DATA_DIR, or on DATABASE_URL.`

/** Where to ask and with which key: what was said, else what runs on the data directory. */
export function connectionOf(options: GatewayOptions, settings: ClientSettings): { url: string; apiKey: string } {
  const running = readRuntime(settings.dataDir) ?? readRuntime(join(settings.dataDir, 'demo'))
  const url = options.url ?? settings.url ?? running?.url ?? 'http://127.0.0.1:8080'
  const apiKey = options.key ?? options.apiKey ?? settings.apiKey ?? running?.apiKey
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Error('--url takes the address of a gateway, such as http://127.0.0.1:8080')
  if (apiKey == null)
    throw new Error('no API key: pass --key, set CROSSBOOK_API_KEY, or create one with `npx crossbook keys create`')
  return { url: url.replace(/\/+$/, ''), apiKey }
}
