#!/usr/bin/env node
// `npx crossbook …`: keys for operators, a look at the stream for everybody.
import { Command } from 'commander'
import { readClientSettings, readConfig } from '#config'
import { version } from '#lib/version'
import { keysCreate, keysList, keysRevoke, keysRotate } from '#platform/auth/cli'
import { plansWith } from '#platform/plans/plans'
import { keysFileOf } from '#run/conditional'
import { accountsCreate, accountsList, accountsShow, runOnDatabase } from './cli/accounts.ts'
import { arb } from './cli/arb.ts'
import { capsClear, capsList, capsSet } from './cli/caps.ts'
import { conditionalCancel, conditionalList } from './cli/conditional.ts'
import { creditsGrant, creditsList } from './cli/credits.ts'
import { halt, halts, resume } from './cli/halts.ts'
import { matchesForbid, matchesList, matchesPin, matchesWithdraw } from './cli/matches.ts'
import { matchesAudit, matchesLabels } from './cli/matchesAudit.ts'
import { commonWords, takeJsonEverywhere, takesGateway } from './cli/options.ts'
import { conditionalRotateKey } from './cli/rotateKey.ts'
import { watch } from './cli/watch.ts'

const program = new Command('crossbook')
  .description('One normalized interface over prediction-market venues')
  .version(version, '--version', 'prints the version')

program
  .command('doctor')
  .description('what stands in the way of a start here: configuration, ports, stores, venues, clock, versions')
  .option('--json', 'print findings as JSON lines')
  .option('--offline', 'ask no venue')
  // What these two need no other command does: it is read when one of them runs.
  .action(async (options) => (await import('./cli/doctor.ts')).doctor(options))

const keys = program
  .command('keys')
  .description('API keys; works on the running program’s database, or on DATABASE_URL')
keys
  .command('create')
  .option('--account <name>', 'account the key belongs to', 'default')
  .option('--plan <plan>', 'free, builder, pro or enterprise', 'free')
  .option('--scopes <scopes>', 'comma list of read, trade', 'read')
  .action((options) => runOnDatabase((pool) => keysCreate(pool, options), options))
keys
  .command('list')
  .option('--account <name>')
  .action((options) => runOnDatabase((pool) => keysList(pool, options), options))
keys.command('revoke <keyId>').action((keyId, options) => runOnDatabase((pool) => keysRevoke(pool, keyId), options))
keys
  .command('rotate <keyId>')
  .option('--grace <seconds>', 'how long the old key still works', '0')
  .action((keyId, options) => runOnDatabase((pool) => keysRotate(pool, keyId, options), options))

const accounts = program.command('accounts').description('who there is, with which keys and how many credits')
accounts.command('list').action((options) => runOnDatabase(accountsList, options))
accounts
  .command('show <name>')
  .action((name, options) => runOnDatabase((pool) => accountsShow(pool, name, plansWith(readConfig().plans)), options))
accounts
  .command('create <name>')
  .description('an account without a key yet; keys create makes one, too')
  .action((name, options) => runOnDatabase((pool) => accountsCreate(pool, name), options))

const credits = program.command('credits').description('what accounts may ask, beside what their plans include')
credits
  .command('grant')
  .description('credits on top; a negative number takes back')
  .requiredOption('--account <name>')
  .requiredOption('--credits <count>', 'whole; to take back write --credits=-100')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((options) => runOnDatabase((pool) => creditsGrant(pool, options), options))
credits
  .command('list')
  .description('the ledger, newest first')
  .option('--account <name>')
  .option('--limit <entries>', 'most entries shown', '50')
  .action((options) => runOnDatabase((pool) => creditsList(pool, options), options))

const caps = program.command('caps').description('dollars a day that an account or a key may commit')
caps
  .command('set')
  .requiredOption('--daily-usd <dollars>')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase((pool) => capsSet(pool, options), options))
caps
  .command('list')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase((pool) => capsList(pool, options), options))
caps
  .command('clear')
  .option('--account <name>')
  .option('--key <keyId>')
  .action((options) => runOnDatabase((pool) => capsClear(pool, options), options))

for (const [name, run, what] of [
  ['halt', halt, 'stops trading: no order or change is sent, cancellations are'],
  ['resume', resume, 'lifts an operator’s halt'],
] as const)
  program
    .command(name)
    .description(what)
    .option('--account <name>', 'of this account, everywhere or at --venue')
    .option('--venue <venue>', 'there, of everybody or of --account')
    .option('--all', 'of everybody, everywhere')
    .requiredOption('--reason <text>', 'kept for the audit, and told to whoever is refused')
    .option('--by <name>', 'who says it, else the user of this machine')
    .action((options) => runOnDatabase((pool) => run(pool, options), options))
program
  .command('halts')
  .description('what is halted now, by whom and why')
  .action((options) => runOnDatabase(halts, options))

const conditional = program.command('conditional').description('orders that wait for a price')
conditional
  .command('list')
  .description('newest first; those that may still fire unless --status')
  .option('--account <name>')
  .option('--venue <venue>')
  .option('--status <statuses>', 'comma list, or all')
  .option('--limit <orders>', 'most orders shown', '50')
  .action((options) => runOnDatabase((pool) => conditionalList(pool, options), options))
conditional
  .command('cancel <id>')
  .description('as its owner could; a hosted one that has triggered is stopped by halt alone')
  .requiredOption('--reason <text>', 'kept with its events, and told to its owner')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((id, options) => runOnDatabase((pool) => conditionalCancel(pool, id, options), options))

conditional
  .command('rotate-key')
  .description('a new sealing key; what is sealed under older ones is sealed anew, and they still open')
  .option('--finish', 'make no key: seal anew what an earlier rotation has left')
  .action((options) => {
    const { conditional: words, dataDir } = readConfig()
    const keys = { file: keysFileOf(dataDir), configured: words.keys, finish: options.finish === true }
    return runOnDatabase(async (pool) => {
      const { lines, unopened } = await conditionalRotateKey(pool, keys)
      if (unopened.length > 0) process.exitCode = 1
      return lines
    }, options)
  })

const matches = program
  .command('matches')
  .description('an operator’s word on pairs of markets, written <venue>:<marketId>; it beats the matcher')
matches
  .command('pin <market> <other>')
  .description('both ask one question')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--polarity <polarity>', 'same, or inverse where YES of one is NO of the other', 'same')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((one, other, options) => runOnDatabase((pool) => matchesPin(pool, one, other, options), options))
matches
  .command('forbid <market> <other>')
  .description('they do not ask one question, whatever the matcher finds')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((one, other, options) => runOnDatabase((pool) => matchesForbid(pool, one, other, options), options))
matches
  .command('withdraw <market> <other>')
  .description('takes back a pin or a forbid')
  .requiredOption('--reason <text>', 'kept for the audit')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((one, other, options) => runOnDatabase((pool) => matchesWithdraw(pool, one, other, options), options))
matches
  .command('list')
  .description('every word that was said, and which of them hold')
  .action((options) => runOnDatabase(matchesList, options))
matches
  .command('audit [market] [other]')
  .description('samples verified pairs for a verdict on each; with two markets and --verdict says it of that pair')
  .option('--sample <pairs>', 'how many, 1 to 500', '20')
  .option('--seed <text>', 'the same seed samples the same pairs; the day when left out')
  .option('--json', 'print the sample as JSON lines, and ask nothing')
  .option('--verdict <verdict>', 'confirm, or forbid, which splits the pair as well')
  .option('--reason <text>', 'kept with the label')
  .option('--by <name>', 'who says it, else the user of this machine')
  .action((one, other, options) => runOnDatabase((pool) => matchesAudit(pool, one, other, options), options))
matches
  .command('labels')
  .description('verdicts of audits, the last of each pair')
  .option('--export', 'JSON lines, as the evaluation of the matcher reads them')
  .action((options) => runOnDatabase((pool) => matchesLabels(pool, options), options))

takesGateway(program.command('watch <venue> [marketId]'))
  .description('follow one book and its trades; without a market the most active one of the venue')
  .option('--json', 'print the frames as they come')
  .option('--frames <count>', 'stop after so many frames')
  .action((venue, marketId, options) => watch(venue, marketId, options, readClientSettings()))

takesGateway(program.command('arb'))
  .description('the arbitrage surface as a table, best edge first; one reading unless --watch')
  .option('--watch', 'refresh in place as rows change; a line per changed row where there is no terminal')
  .option('--once', 'one reading, also beside --watch')
  .option('--executable', 'only rows both of whose legs can be bought now')
  .option('--structures', 'legs of several markets that cannot all lose, as steps to follow')
  .option('--venues <venues>', 'comma list: both legs stand on these')
  .option('--min-edge <usd>', 'least edge in dollars after fees')
  .option('--limit <rows>', 'most rows shown', '30')
  .option('--json', 'print rows as JSON lines')
  .action((options) => arb(options, readClientSettings()))

takesGateway(program.command('mcp'))
  .description(
    'tools for language models (Model Context Protocol) over stdin and stdout; they read, and never send an order',
  )
  .option('--http <port>', 'over HTTP on loopback instead')
  .action(async (options) => (await import('./cli/mcp.ts')).mcp(options, readClientSettings()))

takeJsonEverywhere(program)
program.addHelpText('after', commonWords)

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
