// What only the demo can give: a venue's keys for a throwaway wallet, and the lab's control of its markets.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const { DATA_DIR = './.data/demo' } = process.env
const { labControl } = JSON.parse(readFileSync(`${DATA_DIR}/runtime.json`, 'utf8')) as { labControl: string }
const script = fileURLToPath(new URL('../../../docs/examples/login.mjs', import.meta.url))

export interface Login {
  /** Fields of a submit, in addition to a signature. */
  keys: Record<string, string>
  /** The body of a refresh. */
  read: Record<string, string>
  /** Fields of a build that name the account. */
  account: Record<string, string | number>
}

/** Registers the wallet at a venue, as docs/trading.md shows. Hyperliquid knows a wallet by its signature alone. */
export async function logIn(venue: string, walletKey: string, owner: string): Promise<Login> {
  const { stdout } = await run(process.execPath, [script, venue], { env: { ...process.env, WALLET_KEY: walletKey } })
  const printed = new Map([...stdout.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value!]))
  const fieldsOf = (name: string) => JSON.parse(printed.get(name) ?? '{}') as Record<string, string>
  const byKeys = venue === 'kalshi' || venue === 'gemini'
  const profile: Record<string, number> =
    venue === 'limitless'
      ? { ownerId: Number(printed.get('OWNER_ID')), feeRateBps: Number(printed.get('FEE_BPS')) }
      : {}
  return { keys: fieldsOf('KEYS'), read: fieldsOf('READ'), account: { ...(byKeys ? {} : { owner }), ...profile } }
}

/** `move` and `resolve` change a market for everybody. */
export async function lab(
  kind: 'move' | 'resolve',
  { venue, marketId, outcomeId }: { venue: string; marketId: string; outcomeId: string },
  options: Record<string, unknown>,
) {
  const market = venue === 'polymarket' || venue === 'hyperliquid' ? outcomeId : marketId
  const body = JSON.stringify({ venue, kind, market, ...options })
  const answer = await fetch(`${labControl}/lab/faults`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`the lab refused ${kind}: ${await answer.text()}`)
}
