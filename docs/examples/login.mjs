// `eval "$(npx node docs/examples/login.mjs opinion)"`: registers WALLET_KEY at a venue, once for all orders. KEYS is what submit takes in
// addition to a signature, READ the body of a refresh; other account data that a build needs has names of its own. Where no wallet logs in,
// the keys are those of the demo's lab.
import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { edKey } from './ed25519.mjs'

const [venue] = process.argv.slice(2)
const wallet = privateKeyToAccount(process.env.WALLET_KEY)
const { address } = wallet
const { lab, labKeys, labControl } = JSON.parse(
  readFileSync(`${process.env.DATA_DIR ?? './.data/demo'}/runtime.json`, 'utf8'),
)
const seconds = String(Math.floor(Date.now() / 1000))

async function ask(url, { method = 'POST', body, headers = {} } = {}) {
  const json = body && { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers: { ...json, ...headers }, body: body && JSON.stringify(body) })
  const result = await answer.json()
  if (!answer.ok) throw new Error(`${url}: ${JSON.stringify(result)}`)
  return result
}

/** What the venue's operations give by hand. */
const given = (more) => ask(`${labControl}/lab/accounts`, { body: { venue, ...more } })

async function polymarket() {
  const nonce = 0n
  const message = 'This message attests that I control the given wallet'
  const signature = await wallet.signTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: 137 },
    types: { ClobAuth: membersOf('address address', 'string timestamp', 'uint256 nonce', 'string message') },
    primaryType: 'ClobAuth',
    message: { address, timestamp: seconds, nonce, message },
  })
  const headers = { poly_address: address, poly_signature: signature, poly_timestamp: seconds, poly_nonce: '0' }
  const keys = await ask(`${lab.polymarket.CLOB}/auth/derive-api-key`, { method: 'GET', headers })
  return { keys, read: keys }
}

async function opinion() {
  const signature = await wallet.signTypedData({
    domain: { name: 'Opinion OpenAPI', version: '1', chainId: 56 },
    types: { OpinionApiKeyAuth: membersOf('address walletAddress', 'string action', 'string timestamp') },
    primaryType: 'OpinionApiKeyAuth',
    message: { walletAddress: address, action: 'create', timestamp: seconds },
  })
  const headers = { OPINION_ADDRESS: address, OPINION_SIGNATURE: signature, OPINION_TIMESTAMP: seconds }
  const { result } = await ask(`${lab.opinion.REST}/auth/api-key`, { headers })
  const keys = { apiKey: result.apiKey }
  return { keys, read: keys }
}

async function predictfun() {
  const { API_KEY: apiKey } = labKeys.predictfun
  const headers = { 'x-api-key': apiKey }
  const { data } = await ask(`${lab.predictfun.REST}/v1/auth/message`, { method: 'GET', headers })
  const { message } = data
  const body = { signer: address, message, signature: await wallet.signMessage({ message }) }
  const session = await ask(`${lab.predictfun.REST}/v1/auth`, { headers, body })
  const keys = { apiKey, jwt: session.data.token }
  return { keys, read: keys }
}

async function pred() {
  const zeroAddress = `0x${'0'.repeat(40)}`
  const signature = await wallet.signTypedData({
    domain: {
      name: 'Pred Contract Proxy Factory',
      chainId: 8453,
      verifyingContract: '0xA077e7aaBF2e3c0155F83789e95f46602D03F7f0',
    },
    types: { CreateProxy: membersOf('address paymentToken', 'uint256 payment', 'address paymentReceiver') },
    primaryType: 'CreateProxy',
    message: { paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress },
  })
  const data = { wallet_address: address, signature, message: '', nonce: '1', chain_type: 'base', timestamp: 0 }
  const headers = { 'x-api-key': labKeys.pred.API_KEY }
  const session = (await ask(`${lab.pred.REST}/api/v1/auth/login-with-signature`, { headers, body: { data } })).data
  const keys = { owner: session.proxy_wallet_addr, accessToken: session.access_token, signer: address }
  return { keys, read: keys, more: { SAFE: keys.owner } }
}

async function limitless() {
  const { tokenId, secret, ownerId, feeRateBps } = await given({ wallet: address })
  return { keys: { tokenId, secret }, more: { OWNER_ID: ownerId, FEE_BPS: feeRateBps } }
}

async function predictstreet() {
  const { apiKey, vault } = await given({ wallet: address })
  const keys = { owner: address, apiKey }
  return { keys, read: keys, more: { VAULT: vault } }
}

/** The wallet lets a trading key trade. */
async function pascal() {
  const [owner, trader] = ['owner', 'trader'].map(edKey)
  const [recv, now, never] = [60_000, Date.now(), Date.now() + 86_400_000]
  const words = ['create_trading_key', 'demo', trader.address, never, 1, 3, recv, now, owner.address, owner.address]
  const auth = {
    client_ts_ms: String(now),
    recv_window_ms: String(recv),
    owner: owner.address,
    signer: owner.address,
    signature: owner.sign(Buffer.from(JSON.stringify(words))),
  }
  const body = { trading_key: trader.address, name: 'demo', expiration_ts_ms: String(never), auth }
  await ask(`${lab.pascal.TRADE}/api/v1/trading-keys`, { body })
  return { more: { OWNER: owner.address, SIGNER: trader.address } }
}

const membersOf = (...members) =>
  members.map((member) => {
    const [type, name] = member.split(' ')
    return { name, type }
  })

const same = (keys) => ({ keys, read: keys })

const callers = {
  gemini: () => same(labKeys.gemini),
  kalshi: () => same({ apiKeyId: labKeys.kalshi.API_KEY_ID, privateKeyPem: labKeys.kalshi.PRIVATE_KEY_PEM }),
  novig: () => same(labKeys.novig),
  polymarket_us: () => same({ keyId: labKeys.polymarket_us.KEY_ID, secretKey: labKeys.polymarket_us.SECRET_KEY }),
  sxbet: () => ({ read: { apiKey: labKeys.sxbet.API_KEY } }),
  limitless,
  opinion,
  pascal,
  polymarket,
  pred,
  predictfun,
  predictstreet,
}

if (callers[venue] !== undefined) {
  const { keys = {}, read = {}, more = {} } = await callers[venue]()
  const variables = { KEYS: JSON.stringify(keys), READ: JSON.stringify(read), ...more }
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`)
}
