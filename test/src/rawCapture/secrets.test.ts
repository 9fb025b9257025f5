// Nothing in a capture lets its reader act as the operator.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cleaner, unreachableUrls } from '#rawCapture/cleaner'
import { captureLab, linesIn, temporaryFolder } from '#test/support/raw/capturedLab'
import { venueCases } from '#test/support/venueCases'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

async function textOf(): Promise<string> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map(async (name) => gunzipSync(await readFile(join(folder, name))).toString()))
  return texts.join('')
}

/** Long lines of a key are as bad as all of it. */
const parts = (value: string): string[] =>
  value.split(/\r?\n/).filter((line) => line.length >= 8 && !line.startsWith('-----'))

// A key in the address of the socket; a key in headers and a token in a frame; a signature by a private key.
describe.each(['opinion', 'sxbet', 'kalshi', 'predictfun', 'polymarket_us'] as const)('%s', (name) => {
  it('contains no part of the configured credentials, and none of our headers', async () => {
    let credentials: Readonly<Record<string, string>> = {}
    await captureLab(venueCases[name], folder, {
      play: async ({ venue }) => {
        credentials = venue.credentials ?? {}
      },
    })
    const text = await textOf()
    const secrets = Object.values(credentials).flatMap(parts)
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) expect(text.includes(secret) || text.includes(encodeURIComponent(secret))).toBe(false)
    expect(text).not.toMatch(/x-sx-api-key|x-api-key|authorization|KALSHI-ACCESS|x-pm-/i)
    const [header] = await linesIn(folder)
    expect(header).toMatchObject({ type: 'capture', settings: { credentials: expect.any(Array) } })
  }, 120_000)
})

it('contains no token of a connection, neither as it was issued nor as it was sent', async () => {
  await captureLab(venueCases.sxbet, folder)
  const lines = await linesIn(folder)
  expect(lines.some(({ type }) => type === 'token')).toBe(true)
  expect(lines.filter((line) => line.type === 'request' && line.url.includes('token'))).toEqual([])
  const connect = lines.find((line) => line.type === 'sent' && line.text.includes('"token"'))
  expect(connect).toMatchObject({ text: expect.stringContaining('"token":"[secret]"') })
}, 120_000)

describe('cleaner', () => {
  const cleaner = new Cleaner({
    urls: {
      REST: 'https://venue.example/api',
      CLOB: 'https://venue.example/api/clob',
      SAME: 'https://venue.example/api',
      RPC: 'https://user:correct-horse@node.example/v2/0123456789abcdef0123, https://other.example/rpc',
    },
    ownUrls: { REST: 'https://venue.example/api', CLOB: 'https://venue.example/api/clob' },
    credentials: { API_KEY: 'planted/credential=1' },
  })

  it('names base addresses, and removes authentication', () => {
    expect(cleaner.url('https://venue.example/api/markets?limit=3')).toBe('$REST/markets?limit=3')
    expect(cleaner.url('https://venue.example/api/clob/book?apikey=abc&id=7#x')).toBe(
      '$CLOB/book?apikey=[secret]&id=7#x',
    )
    expect(cleaner.url('https://user:correct-horse@node.example/v2/0123456789abcdef0123')).toBe('$RPC')
    expect(cleaner.url('https://other.example/rpc')).toBe('$RPC.1')
    expect(cleaner.url('https://someone:pass@elsewhere.example/x?token=abc')).toBe(
      'https://elsewhere.example/x?token=[secret]',
    )
  })

  it('removes credentials and keys of nodes in every encoding', () => {
    for (const secret of ['planted/credential=1', 'planted\\/credential=1', 'planted%2Fcredential%3D1'])
      expect(cleaner.text(`{"echo":"${secret}"}`)).toBe('{"echo":"[secret]"}')
    expect(cleaner.text('at https://node.example/v2/0123456789abcdef0123')).toBe('at https://node.example/v2/[secret]')
    expect(cleaner.payload({ base64: Buffer.from('\xffplanted/credential=1', 'latin1').toString('base64') })).toEqual({
      base64: Buffer.from('\xff[secret]', 'latin1').toString('base64'),
    })
    expect(cleaner.body({ key: ['planted/credential=1', 5] })).toEqual({ key: ['[secret]', 5] })
  })

  it('gives a replay addresses of the same form that cannot be reached', () => {
    const urls = unreachableUrls(cleaner.names())
    const replayed = new Cleaner({ urls, ownUrls: urls, credentials: null })
    expect(JSON.stringify(urls)).not.toMatch(/venue\.example|node\.example|horse|0123456789/)
    expect(replayed.url(`${urls.CLOB}/book`)).toBe('$CLOB/book')
    expect(replayed.url(`${urls.REST}/clob/book`)).toBe('$CLOB/book')
    expect(replayed.url(`${urls.SAME}/markets`)).toBe('$REST/markets')
    expect(urls.RPC!.split(',').map((url) => replayed.url(url))).toEqual(['$RPC', '$RPC.1'])
  })
})
