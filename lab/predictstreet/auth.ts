// Predictstreet's authentication: partners' keys, and the vault of every wallet.
import type { IncomingHttpHeaders } from 'node:http'
import { getAddress, type Hex } from 'viem'
import { digestHex } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'
import { refused } from './reads.ts'

export interface StreetAccount {
  /** Lower case. */
  wallet: string
  vault: Hex
}

export class StreetAuth {
  private readonly keys = new Map<string, string>()
  private readonly seed: string

  constructor(seed: string) {
    this.seed = seed
  }

  /** The clone that the factory makes for a wallet: here a made-up address of its own. */
  vaultOf(wallet: string): Hex {
    return getAddress(`0x${digestHex(`predictstreet/vault/${wallet.toLowerCase()}`).slice(0, 40)}`)
  }

  issueKey(wallet: string): string {
    const name = `${this.seed}/predictstreet/key/${this.keys.size}`
    const key = `ps_live_${digestHex(name).slice(0, 12)}_${digestHex(`${name}/secret`).slice(0, 32)}`
    this.keys.set(key, wallet.toLowerCase())
    return key
  }

  admit(headers: IncomingHttpHeaders): StreetAccount | LabReply {
    const key = headers['x-api-key']
    if (typeof key !== 'string') return refused(401, 'auth_required', 'X-Api-Key is missing')
    if (!/^ps_[a-z]+_[^_]+_.+$/.test(key)) return refused(401, 'api_key_bad_format', 'X-Api-Key has another form')
    const wallet = this.keys.get(key)
    if (wallet === undefined) return refused(401, 'api_key_unknown_key', 'no such key')
    return { wallet, vault: this.vaultOf(wallet) }
  }
}
