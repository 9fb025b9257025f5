// `npx crossbook …`: keys for operators, a look at the stream for anyone. Each command loads its own modules when it runs, so that every command
// starts fast.
import '#checkNode'
import { Command } from 'commander'
import { plainText } from '#core/plainText'
import { version } from '#core/version'
import type { Pool } from '#storage/postgres/pool'
import { addArguments, addGatewayOptions, addJsonOption, commonOptions, type JsonOption } from './cli/options.ts'
import { drainStdout, printError } from './cli/output.ts'

const load = {
  keys: () => import('#platform/auth/cli'),
  accounts: () => import('./cli/accounts.ts'),
  caps: () => import('./cli/caps.ts'),
  conditional: () => import('./cli/conditional.ts'),
  credits: () => import('./cli/credits.ts'),
  halts: () => import('./cli/halts.ts'),
  limits: () => import('./cli/limits.ts'),
  matches: () => import('./cli/matches.ts'),
  matchesAudit: () => import('./cli/matchesAudit.ts'),
  matchesJudgements: () => import('./cli/matchesJudgements.ts'),
  matchesReview: () => import('./cli/matchesReview.ts'),
  watch: () => import('./cli/watch.ts'),
  arb: () => import('./cli/arb.ts'),
  backtest: () => import('./cli/backtest.ts'),
  runStrategy: () => import('./cli/runStrategy.ts'),
}

type Lines = import('#core/commandOutput').Lines
const runOnDatabase = async (run: (pool: Pool) => Promise<Lines>, options: JsonOption): Promise<void> =>
  (await import('./cli/database.ts')).runOnDatabase(run, options)
/** An option that may be given several times. */
const repeated = (value: string, before: string[]): string[] => [...before, value]
const clientSettings = async () => (await import('#config')).readClientSettings()

const program = new Command('crossbook')
  .description('One normalized interface over prediction-market venues')
  .version(version, '--version', 'prints the version')
  // Before the commands are added: they inherit it. A refusal quotes what was typed.
  .configureOutput({ writeErr: (text) => process.stderr.write(plainText(text)) })

program
  .command('doctor')
  .description('check whether the program can start here: configuration, ports, stores, venues, clock, versions')
  .option('--json', 'print findings as JSON lines')
  .option('--offline', 'contact no venue')
  .action(async (options) => (await import('./cli/doctor.ts')).doctor(options))

program
  .command('probe [venues...]')
  .description('read each venue once, as the program does, and report which of them work from this network')
  .option('--json', 'print reports as JSON lines')
  .option('--save <folder>', 'keep the raw answers there, without credentials')
  .action(async (venues, options) => (await import('./cli/probe.ts')).probe(venues, options))

program
  .command('replay-raw <paths...>')
  .description(
    'replay raw captures, folders or files, with this version and compare the books and trades with those recorded',
  )
  .option('--json', 'print reports as JSON lines')
  .action(async (paths, options) => (await import('./cli/replayRaw.ts')).replayRaw(paths, options))

const keys = program
  .command('keys')
  .description('manage API keys, in the running program’s database or in DATABASE_URL')
keys
  .command('create')
  .option('--account <name>', 'account the key belongs to', 'default')
  .option('--plan <plan>', 'free, builder, pro or enterprise', 'free')
  .option('--scopes <scopes>', 'comma list of read, trade, review, admin', 'read')
  .option(
    '--paper',
    'for the paper account of that account: its orders are filled against live books and reach no venue',
  )
  .action((options) => runOnDatabase(async (pool) => (await load.keys()).keysCreate(pool, options), options))
keys
  .command('list')
  .option('--account <name>')
  .action((options) => runOnDatabase(async (pool) => (await load.keys()).keysList(pool, options), options))
keys
  .command('revoke <keyId>')
  .action((keyId, options) => runOnDatabase(async (pool) => (await load.keys()).keysRevoke(pool, keyId), options))
keys
  .command('rotate <keyId>')
  .option('--grace <seconds>', 'how long the old key still works', '0')
  .action((keyId, options) =>
    runOnDatabase(async (pool) => (await load.keys()).keysRotate(pool, keyId, options), options),
  )

const accounts = program.command('accounts').description('list accounts with their keys and credits')
accounts
  .command('list')
  .action((options) => runOnDatabase(async (pool) => (await load.accounts()).accountsList(pool), options))
accounts.command('show <name>').action(async (name, options) => {
  const [{ readConfig }, { plansWith }] = await Promise.all([import('#config'), import('#platform/plans/plans')])
  const plans = plansWith(readConfig().plans)
  await runOnDatabase(async (pool) => (await load.accounts()).accountsShow(pool, name, plans), options)
})
accounts
  .command('create <name>')
  .description('create an account without a key; keys create also creates one')
  .action((name, options) => runOnDatabase(async (pool) => (await load.accounts()).accountsCreate(pool, name), options))

const credits = program.command('credits').description('credits of accounts, in addition to their plans')
credits
  .command('grant')
  .description('add credits; a negative number takes them back')
  .requiredOption('--account <name>')
  .requiredOption('--credits <count>', 'a whole number; to take back, write --credits=-100')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who decides; default: the current user')
  .action((options) => runOnDatabase(async (pool) => (await load.credits()).creditsGrant(pool, options), options))
credits
  .command('list')
  .description('the ledger, newest first')
  .option('--account <name>')
  .option('--limit <entries>', 'maximum number of entries', '50')
  .action((options) => runOnDatabase(async (pool) => (await load.credits()).creditsList(pool, options), options))

const caps = program.command('caps').description('dollars per day that an account or a key may commit')
caps
  .command('set')
  .requiredOption('--daily-usd <dollars>')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase(async (pool) => (await load.caps()).capsSet(pool, options), options))
caps
  .command('list')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase(async (pool) => (await load.caps()).capsList(pool, options), options))
caps
  .command('clear')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase(async (pool) => (await load.caps()).capsClear(pool, options), options))

const limits = program.command('limits').description('risk limits: what orders may not exceed before they leave')
const addLimitScope = (command: Command): Command =>
  command
    .requiredOption('--account <name>')
    .requiredOption(
      '--kind <kind>',
      'notional, openNotional, openOrders, position, orderRate, priceCollar, dailyLoss or exposure',
    )
    .option('--key <keyId>', 'this key of the account; default: all keys together')
    .option('--venue <venue>', 'at this venue; default: all venues together')
    .option('--by <name>', 'who decides; default: the current user')
limits
  .command('list')
  .option('--account <name>')
  .action((options) => runOnDatabase(async (pool) => (await load.limits()).limitsList(pool, options), options))
addLimitScope(limits.command('set'))
  .requiredOption('--value <number>', 'contracts, USD, orders, orders per minute or probability, by kind')
  .option('--on-breach <what>', 'refuse, or halt, which also halts the account', 'refuse')
  .action((options) => runOnDatabase(async (pool) => (await load.limits()).limitsSet(pool, options), options))
addLimitScope(limits.command('remove')).action((options) =>
  runOnDatabase(async (pool) => (await load.limits()).limitsRemove(pool, options), options),
)
limits
  .command('audit')
  .description('every change, newest first')
  .option('--account <name>')
  .option('--limit <changes>', 'maximum number of changes', '50')
  .action((options) => runOnDatabase(async (pool) => (await load.limits()).limitsAudit(pool, options), options))

for (const [name, what] of [
  ['halt', 'stop trading: no order or change is sent, cancels still are'],
  ['resume', 'lift an operator’s halt'],
] as const)
  program
    .command(name)
    .description(what)
    .option('--account <name>', 'this account, everywhere or at --venue')
    .option('--venue <venue>', 'this venue, for all accounts or for --account')
    .option('--all', 'all accounts, everywhere')
    .requiredOption('--reason <text>', 'kept for the audit and shown to refused callers')
    .option('--by <name>', 'who decides; default: the current user')
    .action((options) => runOnDatabase(async (pool) => (await load.halts())[name](pool, options), options))
program
  .command('halts')
  .description('what is halted now, by whom and why')
  .action((options) => runOnDatabase(async (pool) => (await load.halts()).halts(pool), options))

const conditional = program.command('conditional').description('orders that wait for a price')
conditional
  .command('list')
  .description('newest first; without --status, those that may still fire')
  .option('--account <name>')
  .option('--venue <venue>')
  .option('--status <statuses>', 'comma list, or all')
  .option('--limit <orders>', 'maximum number of orders', '50')
  .action((options) =>
    runOnDatabase(async (pool) => (await load.conditional()).conditionalList(pool, options), options),
  )
conditional
  .command('cancel <id>')
  .description('cancel on the owner’s behalf; a hosted order that has triggered can only be stopped by a halt')
  .requiredOption('--reason <text>', 'kept with its events and shown to its owner')
  .option('--by <name>', 'who decides; default: the current user')
  .action((id, options) =>
    runOnDatabase(async (pool) => (await load.conditional()).conditionalCancel(pool, id, options), options),
  )

conditional
  .command('rotate-key')
  .description('create a new sealing key and reseal everything under it; older keys still open')
  .option('--finish', 'create no key: reseal what an earlier rotation has left')
  .action(async (options) => {
    const [{ readConfig }, { keysFileOf }, { folderOfRunning }, { conditionalRotateKey }] = await Promise.all([
      import('#config'),
      import('#roles/conditionalStore'),
      import('#roles/runtimeFile'),
      import('./cli/rotateKey.ts'),
    ])
    const { conditional: words, dataDir } = readConfig()
    const keys = { file: keysFileOf(folderOfRunning(dataDir)), configured: words.keys, finish: options.finish === true }
    await runOnDatabase(async (pool) => {
      const { lines, unopened } = await conditionalRotateKey(pool, keys)
      if (unopened.length > 0) process.exitCode = 1
      return lines
    }, options)
  })

const matches = program
  .command('matches')
  .description('override the matcher on pairs of markets, written <venue>:<marketId>')
matches
  .command('pin <market> <other>')
  .description('both markets ask the same question')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--polarity <polarity>', 'same, or inverse if YES of one is NO of the other', 'same')
  .option('--by <name>', 'who decides; default: the current user')
  .action((one, other, options) =>
    runOnDatabase(async (pool) => (await load.matches()).matchesPin(pool, one, other, options), options),
  )
matches
  .command('forbid <market> <other>')
  .description('the two do not ask the same question, whatever the matcher finds')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who decides; default: the current user')
  .action((one, other, options) =>
    runOnDatabase(async (pool) => (await load.matches()).matchesForbid(pool, one, other, options), options),
  )
matches
  .command('withdraw <market> <other>')
  .description('withdraw a pin or a forbid')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who decides; default: the current user')
  .action((one, other, options) =>
    runOnDatabase(async (pool) => (await load.matches()).matchesWithdraw(pool, one, other, options), options),
  )
matches
  .command('list')
  .description('list every override and whether it is in force')
  .action((options) => runOnDatabase(async (pool) => (await load.matches()).matchesList(pool), options))
matches
  .command('audit [market] [other]')
  .description(
    'sample verified pairs and ask for a verdict on each; with two markets and --verdict, record it for that pair',
  )
  .option('--sample <pairs>', 'number of pairs, 1 to 500', '20')
  .option('--seed <text>', 'the same seed samples the same pairs; default: the day')
  .option('--json', 'print the sample as JSON lines, and ask nothing')
  .option('--verdict <verdict>', 'confirm, or forbid, which splits the pair as well')
  .option('--reason <text>', 'kept with the label')
  .option('--by <name>', 'who decides; default: the current user')
  .action((one, other, options) =>
    runOnDatabase(async (pool) => (await load.matchesAudit()).matchesAudit(pool, one, other, options), options),
  )
matches
  .command('labels')
  .description('list audit verdicts, the last of each pair')
  .option('--export', 'JSON lines, as the matcher’s evaluation reads them')
  .action((options) => runOnDatabase(async (pool) => (await load.matchesAudit()).matchesLabels(pool, options), options))
matches
  .command('review [key]')
  .description(
    'template pairs that need a decision, the most valuable first: asks at a terminal; with a key, shows or decides that one',
  )
  .option('--limit <pairs>', 'number of pairs, 1 to 500', '30')
  .option('--json', 'print JSON, one object per line, and ask nothing')
  .option('--prices', 'pairs of markets that were demoted because their prices differ: confirmed, one is pinned')
  .option(
    '--relation <relation>',
    'of the first text to the second: identity, complement, subset, superset, overlap or disjoint',
  )
  .option('--undo', 'withdraw the decision on the pair')
  .option('--export', 'decisions that apply, as JSON lines')
  .option('--import <file>', 'record decisions exported elsewhere')
  .option('--replace', 'the import also replaces decisions that apply here')
  .option('--reason <text>', 'kept with the decision')
  .option('--by <name>', 'who decides; default: the current user')
  .action((key, options) =>
    runOnDatabase(async (pool) => (await load.matchesReview()).matchesReview(pool, key, options), options),
  )
matches
  .command('judgements [id]')
  .description('what the LLM judge decided, newest first; with an id, confirms or revokes that judgement')
  .option('--limit <judgements>', 'number of judgements, 1 to 500', '30')
  .option('--verdict <verdict>', 'only same, different or undecided ones')
  .option('--sample <judgements>', 'decided and not reviewed, at most this many of each verdict')
  .option('--seed <text>', 'the same seed samples the same judgements; default: the day')
  .option('--json', 'print JSON, one object per line, with the texts that were sent and every answer')
  .option('--revoke', 'the judgement has no effect from the next run on')
  .option('--confirm', 'the judgement is right; takes back a revocation')
  .option('--reason <text>', 'kept with the review')
  .option('--by <name>', 'who decides; default: the current user')
  .action((id, options) =>
    runOnDatabase(async (pool) => (await load.matchesJudgements()).matchesJudgements(pool, id, options), options),
  )

addGatewayOptions(program.command('watch <venue> [marketId]'))
  .description('follow one book and its trades; without a market, the venue’s most active one')
  .option('--json', 'print the frames as they arrive')
  .option('--frames <count>', 'stop after this many books and trades')
  .action(async (venue, marketId, options) =>
    (await load.watch()).watch(venue, marketId, options, await clientSettings()),
  )

addGatewayOptions(program.command('arb'))
  .description('the arbitrage surface as a table, best edge first; printed once unless --watch')
  .option('--watch', 'refresh in place as rows change; without a terminal, one line per changed row')
  .option('--once', 'print once, even with --watch')
  .option('--executable', 'only rows with both legs buyable now')
  .option('--structures', 'legs of several markets that cannot all lose, as steps to follow')
  .option('--venues <venues>', 'comma list: both legs are on these')
  .option('--min-edge <usd>', 'minimum edge in dollars after fees')
  .option('--limit <rows>', 'maximum number of rows', '30')
  .option('--json', 'print rows as JSON lines')
  .action(async (options) => (await load.arb()).arb(options, await clientSettings()))

addGatewayOptions(program.command('backtest'))
  .description('run a strategy against the tape, and write its report: equity, fills, fees, calibration')
  .requiredOption('--strategy <file>', 'a .ts or .js module, or a .py file')
  .requiredOption('--from <time>', 'ISO time, a day, or epoch milliseconds')
  .requiredOption('--to <time>')
  .requiredOption('--markets <markets>', 'comma list of venue:marketId')
  .option('--seed <text>', 'the same seed gives the same report; default: a random one, kept in the report')
  .option('--pace <pace>', 'asap, or a speed such as 1x or 10x', 'asap')
  .option('--out <folder>', 'for report.json and report.html; default: named by the hash of the report')
  .option('--cash <amount>', 'opening cash per venue, or venue=amount; may be repeated', repeated, [])
  .option('--param <name=value>', 'for the strategy; may be repeated', repeated, [])
  .option('--latency-ms <ms>', 'median time from a submit to the book; default: that of paper accounts, 150')
  .option('--files <folder>', 'read files of days instead of a gateway or CLICKHOUSE_URL')
  .option('--catalog <file>', 'with --files: JSON rows of fetchMarkets instead of a gateway')
  .option('--python <command>', 'a Python that has the SDK', 'python3')
  .option('--json', 'print the summary as JSON')
  .action(async (options) => (await load.backtest()).backtest(options, await clientSettings()))

addGatewayOptions(program.command('run'))
  .description('run a strategy on the gateway: a key xb_paper_… trades on paper, any other live')
  .requiredOption('--strategy <file>', 'a .ts or .js module, or a .py file')
  .requiredOption('--markets <markets>', 'comma list of venue:marketId')
  .option('--param <name=value>', 'for the strategy; may be repeated', repeated, [])
  .option(
    '--credentials <file>',
    'JSON: by venue, the fields of its submits and refreshes; a wallet key is in CROSSBOOK_WALLET_KEY',
  )
  .option('--python <command>', 'a Python that has the SDK', 'python3')
  .action(async (options) => (await load.runStrategy()).runStrategy(options, await clientSettings()))

addGatewayOptions(program.command('mcp'))
  .description(
    'tools for language models (Model Context Protocol) over stdin and stdout; they read, and never send an order',
  )
  .option('--http <port>', 'over HTTP on loopback instead')
  .action(async (options) => (await import('./cli/mcp.ts')).mcp(options, await clientSettings()))

addJsonOption(program)
addArguments(program)
program.addHelpText('after', commonOptions)

drainStdout()
try {
  await program.parseAsync()
} catch (error) {
  printError(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
