import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '#lib/secret'
import { redact, redactAnswer, redactBody } from '#venues/shared/redact'

const secret = 'canary/of+"odd"\\spelling'

describe('a repeated secret is taken out', () => {
  it.each([
    ['as it is', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify({ text })],
    ['in JSON with escaped slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['in a URL', (text: string) => `https://x/?q=${encodeURIComponent(text)}`],
  ])('%s', (_, spell) => {
    const clean = redact(`before ${spell(secret)} after`, [new Secret('another one'), new Secret(secret)])
    expect(clean).not.toMatch(/canary|spelling/)
    expect(clean).toMatch(/before .*\[secret].* after/)
  })

  it('line by line where it is a PEM, however its lines are joined', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const lines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
    const once = JSON.stringify(pem)
    for (const said of [
      pem,
      once,
      JSON.stringify(once),
      pem.replaceAll('\n', ' '),
      pem.replaceAll('\n', ''),
      lines[3]!,
    ])
      for (const given of [pem, pem.replaceAll('\n', '\\n'), pem.replaceAll('\n', '\r\n')]) {
        const clean = redact(said, [new Secret(given)])
        // The last line of a PEM may be too short to be told from chance.
        for (const line of lines.slice(0, -1)) expect(clean).not.toContain(line)
      }
  })

  it('from every text of a parsed body, names of members included, and nothing else of it changes', () => {
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

  it('only from what was answered', () => {
    const secrets = [new Secret(secret)]
    const answered = { kind: 'answered', status: 200, headers: {}, text: secret } as const
    expect(redactAnswer(answered, secrets)).toMatchObject({ text: '[secret]' })
    const unknown = { kind: 'unknown', cause: new Error('cut') } as const
    expect(redactAnswer(unknown, secrets)).toBe(unknown)
  })
})

it('a text too short to be told from chance stays', () => {
  expect(redact('a pass of seven', [new Secret('pass of')])).toBe('a pass of seven')
})
