// Options shared by many commands, defined once: their names, their meaning, and the default gateway.
import { type Command, Option } from 'commander'
import { folderOfRunning, readRuntime } from '#roles/runtimeFile'

export interface JsonOption {
  json?: boolean
}

/** For commands that ask a gateway. */
export interface GatewayOptions {
  url?: string
  key?: string
  /** The former name of `--key`. */
  apiKey?: string
}

export interface ClientSettings {
  url?: string | undefined
  apiKey?: string | undefined
  dataDir: string
}

export const addGatewayOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the gateway; default: CROSSBOOK_URL, then the program running on DATA_DIR')
    .option('--key <key>', 'API key; default: CROSSBOOK_API_KEY, then the demo’s')
    .addOption(new Option('--api-key <key>').hideHelp())

const before: readonly [flags: string, description: string][] = [
  ['--json', 'print JSON, one object per line'],
  ['--url <url>', 'address of the gateway, for commands that call one'],
  ['--key <key>', 'API key, for commands that call a gateway'],
]

/** The shared options may also precede the command: `crossbook --json halts`. */
export function addArguments(program: Command): void {
  for (const group of groupsOf(program)) {
    // After the command they are the command's own: `--key` of `caps` is something else.
    group.enablePositionalOptions()
    for (const [flags, description] of before)
      group.addOption(new Option(flags, description).hideHelp(group !== program))
  }
  program.hook('preAction', (_, command) => {
    for (let above = command.parent; above !== null; above = above.parent) handDown(above, command)
  })
}

const groupsOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [] : [command, ...command.commands.flatMap(groupsOf)]

/** The option closer to the command wins. */
function handDown(above: Command, command: Command): void {
  const takes = (long: string): boolean => command.options.some((option) => option.long === long)
  for (const name of ['json', 'url', 'key']) {
    if (above.getOptionValueSource(name) !== 'cli') continue
    if (name === 'json' && !takes('--json')) command.error(`error: '${command.name()}' takes no --json`)
    if (name !== 'json' && !takes('--url'))
      command.error(`error: '${command.name()}' calls no gateway, and takes no --${name} before it`)
    if (command.getOptionValueSource(name) === undefined)
      command.setOptionValueWithSource(name, above.getOptionValue(name), 'cli')
  }
}

/** Every command accepts `--json`; those that describe it themselves have already added it. */
export function addJsonOption(command: Command): void {
  if (command.commands.length > 0) {
    for (const each of command.commands) addJsonOption(each)
    return
  }
  if (!speaksAProtocol.has(command.name()) && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'print JSON, one object per line')
}

/** Their standard output already carries a protocol. */
const speaksAProtocol: ReadonlySet<string> = new Set(['mcp'])

export const commonOptions = `
Every command has --help; --json, --url and --key may stand before the command or after it. Results go to standard output, as JSON lines with --json; progress goes to standard error, at a terminal only.
watch, arb, mcp, backtest and run call a gateway (--url, --key); the others work on the database of the program running on DATA_DIR, or on DATABASE_URL.`

/** Where to connect and with which key: the options, else what runs on the data directory. */
export function connectionOf(options: GatewayOptions, settings: ClientSettings): { url: string; apiKey: string } {
  const running = readRuntime(folderOfRunning(settings.dataDir))
  const url = options.url ?? settings.url ?? running?.url ?? 'http://127.0.0.1:8080'
  const apiKey = options.key ?? options.apiKey ?? settings.apiKey ?? running?.apiKey
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Error('--url takes the address of a gateway, such as http://127.0.0.1:8080')
  if (apiKey == null)
    throw new Error('no API key: pass --key, set CROSSBOOK_API_KEY, or create one with `npx crossbook keys create`')
  return { url: url.replace(/\/+$/, ''), apiKey }
}
