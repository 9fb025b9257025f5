import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '#core/secret'
import { redact, redactAnswer, redactBody } from '#venues/shared/redact'

const secret = 'canary/of+"odd"\\spelling'

describe('redacts an echoed secret', () => {
  it.each([
    ['unchanged', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify({ text })],
    ['in JSON with escaped slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['in a URL', (text: string) => `https://x/?q=${encodeURIComponent(text)}`],
    ['in a URL with unescaped slashes', (text: string) => encodeURIComponent(text).replaceAll('%2F', '/')],
    [
      'in a URL with lower-case digits',
      (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['in a form', (text: string) => new URLSearchParams({ text }).toString()],
    ['in JSON with escaped signs', (text: string) => text.replaceAll('+', '\\u002b').replaceAll('"', '\\u0022')],
  ])('%s', (_, spell) => {
    const clean = redact(`before ${spell(secret)} after`, [new Secret('another one'), new Secret(secret)])
    expect(clean).not.toMatch(/canary|spelling/)
    expect(clean).toMatch(/before .*\[secret].* after/)
  })

  it.each(['base64', 'base64url'] as const)('in %s, alone and inside a longer text', (encoding) => {
    for (const before of ['', 'u', 'us', 'user:']) {
      const encoded = Buffer.from(`${before}${secret}`).toString(encoding)
      const clean = redact(`Basic ${encoded};`, [new Secret(secret)])
      expect(clean).toContain('[secret]')
      // The remaining characters are not enough to restore it.
      expect(clean.replace('[secret]', '').length - 'Basic ;'.length).toBeLessThanOrEqual(
        Math.ceil((before.length * 4) / 3) + 4,
      )
    }
  })

  it.each([
    ['in hexadecimal', (text: string) => Buffer.from(text).toString('hex')],
    ['in upper-case hexadecimal', (text: string) => Buffer.from(text).toString('hex').toUpperCase()],
    ['in hexadecimal inside a longer text', (text: string) => Buffer.from(`user:${text}.`).toString('hex')],
    ['in upper case', (text: string) => text.toUpperCase()],
    ['in lower case', (text: string) => text.toLowerCase()],
  ])('%s', (_, spell) => {
    const key = 'Canary-0xAbCdEf0123456789'
    const clean = redact(`{"signature":"${spell(key)}"}`, [new Secret(key)])
    expect(clean).toContain('[secret]')
    expect(clean.toLowerCase()).not.toContain('abcdef')
    expect(clean).not.toContain(Buffer.from('Canary').toString('hex'))
  })

  it('for a hexadecimal key without its prefix', () => {
    const digits = 'AbCdEf0123456789aBcDeF0123456789'
    expect(redact(`{"key":"${digits.toLowerCase()}"}`, [new Secret(`0x${digits}`)])).toBe('{"key":"[secret]"}')
    expect(redact(`{"key":"0x${digits}"}`, [new Secret(`0x${digits}`)])).not.toMatch(/abcdef/i)
  })

  it('line by line in a PEM, however its lines are joined', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const lines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
    const once = JSON.stringify(pem)
    for (const echoed of [
      pem,
      once,
      JSON.stringify(once),
      pem.replaceAll('\n', ' '),
      pem.replaceAll('\n', ''),
      encodeURIComponent(pem),
      encodeURIComponent(pem).replaceAll('%2F', '/'),
      encodeURIComponent(pem).replace(/%../g, (code) => code.toLowerCase()),
      new URLSearchParams({ pem }).toString(),
      lines[3]!,
    ])
      for (const given of [pem, pem.replaceAll('\n', '\\n'), pem.replaceAll('\n', '\r\n')]) {
        const clean = redact(echoed, [new Secret(given)])
        const decoded = decodeURIComponent(clean)
        // The last line of a PEM may be too short to be distinctive.
        for (const line of lines.slice(0, -1)) {
          expect(clean).not.toContain(line)
          expect(decoded).not.toContain(line)
        }
        const encoded = Buffer.from(echoed).toString('base64')
        if (echoed === pem) expect(redact(encoded, [new Secret(given)])).toMatch(/^\[secret].{0,4}$/)
      }
  })

  it('in every text of a parsed body, including field names, without changing anything else', () => {
    const body = { [`x${secret}`]: [secret, 1, null, true, { deep: `at ${secret}` }], plain: 'text' }
    expect(redactBody(body, [new Secret(secret)])).toEqual({
      'x[secret]': ['[secret]', 1, null, true, { deep: 'at [secret]' }],
      plain: 'text',
    })
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text)
        expect(JSON.stringify(redactBody(value, [new Secret('never-in-there-5e1c')]))).toBe(JSON.stringify(value))
      }),
    )
  })

  it('only in answers', () => {
    const secrets = [new Secret(secret)]
    const answered = { kind: 'answered', status: 200, headers: {}, text: secret } as const
    expect(redactAnswer(answered, secrets)).toMatchObject({ text: '[secret]' })
    const unknown = { kind: 'unknown', cause: new Error('cut') } as const
    expect(redactAnswer(unknown, secrets)).toBe(unknown)
  })
})

it('keeps a text that is too short to be distinctive', () => {
  expect(redact('a pass of seven', [new Secret('pass of')])).toBe('a pass of seven')
})
