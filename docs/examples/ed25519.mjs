// Ed25519 keys for login.mjs and sign.mjs, derived from WALLET_KEY and a name, so that both get the same key.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function edKey(name) {
  const seed = createHash('sha256').update(`${process.env.WALLET_KEY} ${name}`).digest()
  const wrapped = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: wrapped, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { address: base58(Buffer.from(x, 'base64url')), sign: (bytes) => base58(sign(null, bytes, key)) }
}

function base58(bytes) {
  let text = ''
  for (let value = BigInt(`0x${bytes.toString('hex')}`); value > 0n; value /= 58n) {
    text = letters[Number(value % 58n)] + text
  }
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
}
