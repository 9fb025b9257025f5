// `eval "$(npx node docs/examples/sign.mjs polymarket "$BUILT")"`: from a build, its id as ID, and the body of its submit as SUBMIT: KEYS
// of login.mjs, and a signature of WALLET_KEY where the venue requires one.
import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { edKey } from './ed25519.mjs'

const [venue, text] = process.argv.slice(2)
const { success, data: built, error } = JSON.parse(text)
if (!success) throw new Error(`${error.code}: ${error.message}`)
const wallet = privateKeyToAccount(process.env.WALLET_KEY)
const { unsigned } = built

/** The artifact is what a wallet's signTypedData takes as it is. */
const typed = async () => ({ signature: await wallet.signTypedData(unsigned) })

/** Gas and nonce are the wallet's own matter. */
async function transaction() {
  const { lab } = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? './.data/demo'}/runtime.json`, 'utf8'))
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [wallet.address, 'latest'] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(lab[venue].RPC, { method: 'POST', headers, body: JSON.stringify(request) })
  const nonce = Number((await answer.json()).result)
  const fees = { gas: 500_000n, maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 0n }
  const { to, data, chainId } = unsigned
  const signed = await wallet.signTransaction({ type: 'eip1559', chainId, to, data, value: 0n, nonce, ...fees })
  return { signedTransaction: signed }
}

/** The permit's bytes, as they are. */
const permit = () => ({ signature: edKey('trader').sign(Buffer.from(unsigned.permit, 'base64')) })

const signatures = {
  hyperliquid: typed,
  limitless: typed,
  myriad: typed,
  opinion: typed,
  pascal: permit,
  polymarket: typed,
  pred: typed,
  predictfun: typed,
  predictstreet: typed,
  rain: transaction,
}

const signed = await signatures[venue]?.()
const submit = JSON.stringify({ ...JSON.parse(process.env.KEYS ?? '{}'), ...signed })
console.log(`export ID=${built.executionId} SUBMIT='${submit}'`)
