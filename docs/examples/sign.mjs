// `eval "$(npx node docs/examples/sign.mjs kalshi "$BUILT")"`: of what was built, its id as ID, and what a caller adds to it: the body of a
// submit as SUBMIT, the body of a refresh as READ. Signatures are WALLET_KEY's. Keys of a venue are those of the demo's lab.
import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'

const [venue, text] = process.argv.slice(2)
const { success, data: built, error } = JSON.parse(text)
if (!success) throw new Error(`${error.code}: ${error.message}`)
const wallet = privateKeyToAccount(process.env.WALLET_KEY)
const { lab, labKeys } = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? './.data/demo'}/runtime.json`, 'utf8'))

/** The artifact is what a wallet's signTypedData takes as it is. */
const signed = async () => ({ signature: await wallet.signTypedData(built.unsigned) })

/** The venue's API key of a wallet, for a signature of it. */
async function clobKey() {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = await wallet.signTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: 137 },
    types: {
      ClobAuth: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: 'ClobAuth',
    message: {
      address: wallet.address,
      timestamp,
      nonce: 0n,
      message: 'This message attests that I control the given wallet',
    },
  })
  const headers = {
    poly_address: wallet.address,
    poly_signature: signature,
    poly_timestamp: timestamp,
    poly_nonce: '0',
  }
  return (await fetch(`${lab.polymarket.CLOB}/auth/derive-api-key`, { headers })).json()
}

/** By venue: what is sent with a signature or without one, and what is read with. */
const callers = {
  polymarket: async () => {
    const key = await clobKey()
    return { submit: { ...(await signed()), ...key }, read: key }
  },
  kalshi: () => {
    const { API_KEY_ID, PRIVATE_KEY_PEM } = labKeys.kalshi
    return keyed({ apiKeyId: API_KEY_ID, privateKeyPem: PRIVATE_KEY_PEM })
  },
  gemini: () => keyed(labKeys.gemini),
  polymarket_us: () => keyed({ keyId: labKeys.polymarket_us.KEY_ID, secretKey: labKeys.polymarket_us.SECRET_KEY }),
  hyperliquid: async () => ({ submit: await signed(), read: {} }),
  myriad: async () => ({ submit: await signed(), read: {} }),
  novig: () => keyed(labKeys.novig),
}
const keyed = (key) => ({ submit: key, read: key })

const { submit, read } = await callers[venue]()
console.log(`export ID=${built.executionId} SUBMIT='${JSON.stringify(submit)}' READ='${JSON.stringify(read)}'`)
