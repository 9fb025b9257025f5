// The signature, computed by us and by three independent implementations.

import { execFileSync, spawnSync } from 'node:child_process'
import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createSecretBox, newSecret, sign, signStandard } from '#platform/webhooks/index'
import { sampleOf } from '#test/support/docs/samples'
import { pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { seed } from '#test/support/seed'

const vectors = [
  {
    secret: 'test-secret',
    timestamp: 1_700_000_000,
    body: '{"event":"execution.status.changed"}',
    hex: '8c0efdbba44536c53f0db90a2d46e4e542613af512e00c9f1fa0c7cd2bb70537',
  },
  // Stripe signs the same text with the same key bytes; its vector is ours.
  {
    secret: 'whsec_test_secret',
    timestamp: 1_614_265_330,
    body: '{"id":"evt_test_webhook","object":"event"}',
    hex: '3c5817089d739023dd6190f70a3757e04f7a2fd8b5dab12c2e000f51970dccff',
  },
]

const python = `
import hashlib, hmac, json, sys
for line in sys.stdin:
    v = json.loads(line)
    text = str(v["timestamp"]).encode() + b"." + v["body"].encode("utf-8")
    print(hmac.new(v["secret"].encode("utf-8"), text, hashlib.sha256).hexdigest())
`
const perl = `
use Digest::SHA qw(hmac_sha256_hex);
while (my $line = <STDIN>) {
  chomp $line;
  my ($secret, $text) = map { pack("H*", $_) } split(/ /, $line);
  print hmac_sha256_hex($text, $secret), "\\n";
}
`
const verifying = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
given = json.loads(sys.argv[1])

def takes(secret, body):
    try:
        Webhook(secret).verify(body, given["headers"])
        return True
    except WebhookVerificationError:
        return False

print(json.dumps([[takes(secret, body) for body in (given["body"], given["body"] + " ")] for secret in given["secrets"]]))
`
const has = (program: string, ...probe: string[]): boolean => spawnSync(program, probe).status === 0

type Snippet = (secret: string, raw: string, headers: Readonly<Record<string, string>>) => unknown

/** The code of docs/webhooks.md as printed, without its imports. */
async function snippets(): Promise<{ standardWebhook: Snippet; ours: Snippet }> {
  const page = 'docs/webhooks.md'
  const source = `
    ${sampleOf(page, 'import { Webhook }')
      .replace("'standardwebhooks'", `'${import.meta.resolve('standardwebhooks')}'`)
      .replace('const event', 'export const standardWebhook = (secret, raw, headers) => { const event')
      .trimEnd()
      .replace(' // ', '; return event } // ')}
    import { createHmac, timingSafeEqual } from 'node:crypto'
    export const ours = (secret, raw, headers) => {
      ${sampleOf(page, 'const wanted')}
      return isOurs
    }`
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)
}

type Signed = { secret: string; timestamp: number; body: string }
const lines = (text: string): string[] => text.trimEnd().split('\n')
const others: [name: string, available: boolean, sign: (given: readonly Signed[]) => string[]][] = [
  [
    'python3',
    has('python3', '-c', 'import hmac'),
    (given) =>
      lines(
        execFileSync('python3', ['-c', python], {
          input: given.map((one) => JSON.stringify(one)).join('\n'),
          encoding: 'utf8',
        }),
      ),
  ],
  [
    'perl',
    has('perl', '-MDigest::SHA', '-e', '1'),
    (given) =>
      lines(
        execFileSync('perl', ['-e', perl], {
          input: given
            .map(({ secret, timestamp, body }) =>
              [secret, `${timestamp}.${body}`].map((text) => Buffer.from(text).toString('hex')).join(' '),
            )
            .join('\n'),
          encoding: 'utf8',
        }),
      ),
  ],
  [
    'openssl',
    has('openssl', 'version'),
    (given) =>
      given.map(({ secret, timestamp, body }) => {
        const key = `hexkey:${Buffer.from(secret).toString('hex')}`
        const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key]
        return execFileSync('openssl', args, { input: `${timestamp}.${body}`, encoding: 'utf8' })
          .trim()
          .split(' ')
          .at(-1)!
      }),
  ],
]

describe('the signature', () => {
  it.each(vectors)('of $body equals the published one', ({ secret, timestamp, body, hex }) => {
    expect(sign(secret, timestamp, body)).toBe(hex)
  })

  describe.each(others)('equals that of %s', (name, available, theirs) => {
    it.skipIf(!available)(`for the published vectors (skipped without ${name})`, () => {
      expect(theirs(vectors)).toEqual(vectors.map(({ hex }) => hex))
    })
    it.skipIf(!available)(`for any secret, time and body (skipped without ${name})`, () => {
      const one = fc.record({
        secret: fc
          .oneof(fc.constant(null), fc.string({ unit: 'binary', minLength: 1 }))
          .map((text) => text ?? newSecret()),
        timestamp: fc.integer({ min: 1, max: 4_102_444_800 }),
        body: fc.json().map((text) => text.replaceAll('\\u0000', '')),
      })
      const given = fc.sample(one, { seed, numRuns: name === 'openssl' ? 10 : 200 })
      expect(theirs(given), `seed ${seed}`).toEqual(given.map((each) => sign(each.secret, each.timestamp, each.body)))
    })
  })

  it.skipIf(!has('openssl', 'version'))(
    'equals the output of the shell line of docs/webhooks.md (skipped without openssl)',
    () => {
      const docs = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
      const line = /`(printf [^`]*openssl[^`]*)`/.exec(docs)![1]!
      const { secret, timestamp, body, hex } = vectors[0]!
      expect(docs).toContain(hex)
      const env = { PATH: process.env.PATH ?? '', secret, timestamp: String(timestamp), body }
      expect(execFileSync('sh', ['-c', line], { env, encoding: 'utf8' }).trim()).toMatch(new RegExp(`${hex}$`))
    },
  )

  it('is verified by both snippets of docs/webhooks.md, and another body is not', async () => {
    const { standardWebhook, ours } = await snippets()
    const secret = newSecret()
    const timestamp = Math.floor(Date.now() / 1_000)
    const raw = '{"event":"execution.status.changed"}'
    const headers = {
      'x-service-timestamp': String(timestamp),
      'x-service-signature': sign(secret, timestamp, raw),
      'webhook-id': 'd1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandard([secret], 'd1', timestamp, raw),
    }
    expect(standardWebhook(secret, raw, headers)).toEqual(JSON.parse(raw))
    expect(ours(secret, raw, headers)).toBe(true)
    expect(() => standardWebhook(secret, `${raw} `, headers)).toThrow()
    expect(ours(secret, `${raw} `, headers)).toBe(false)
    expect(ours(secret, raw, {})).toBe(false)
  })

  it('of another time, body or secret is different', () => {
    const { secret, timestamp, body, hex } = vectors[0]!
    for (const other of [
      sign(secret, timestamp + 1, body),
      sign(secret, timestamp, `${body} `),
      sign(`${secret}x`, timestamp, body),
      sign(secret, timestamp, ''),
    ])
      expect(timingSafeEqual(Buffer.from(other), Buffer.from(hex))).toBe(false)
  })

  it('is keyed by the secret as shown, with its prefix', () => {
    const secret = newSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(sign(secret, 1, '{}')).not.toBe(sign(secret.slice('whsec_'.length), 1, '{}'))
  })
})

describe('the signature of Standard Webhooks', () => {
  it('of its published vector equals the published one', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const signature = signStandard([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('equals that of the library for any secret of ours, id, time and body', () => {
    const one = fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 4_102_444_800 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(one, ([id, timestamp, body]) => {
        const secrets = [newSecret(), newSecret(), newSecret()]
        const theirs = secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp * 1000), body))
        expect(signStandard(secrets, id, timestamp, body)).toBe(theirs.join(' '))
      }),
      { seed },
    )
  })

  it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
    'is accepted by the Python library, also after a rotation, and not under another secret or for another body',
    { timeout: pythonDeadlineMs + 30_000 },
    async ({ skip }) => {
      const { python: interpreter, reason } = await pythonVenv(['standardwebhooks==1.1.0'])
      if (interpreter === null) return skip(reason)
      const [secret, former, stranger] = [newSecret(), newSecret(), newSecret()]
      const timestamp = Math.floor(Date.now() / 1000)
      const body = '{"event":"execution.status.changed","title":"Wird es in Zürich schneien?"}'
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signStandard([former, secret], 'evt_1', timestamp, body),
      }
      const given = JSON.stringify({ headers, body, secrets: [secret, former, stranger] })
      expect(JSON.parse(await interpreter.run(['-c', verifying, given]))).toEqual([
        [true, false],
        [true, false],
        [false, false],
      ])
    },
  )

  it.each([
    'test-secret',
    'whsec_',
    'whsec_x',
    `whsec_${'A'.repeat(28)}`,
    `whsec_${'-'.repeat(44)}`,
    `${'A'.repeat(43)}=`,
  ])('is not made with a secret that both schemes read differently: %s', (secret) => {
    expect(() => signStandard([secret], 'id', 1, '{}')).toThrow('not whsec_ followed by base64')
  })
})

describe('a sealed secret', () => {
  const key = Buffer.alloc(32, 7)
  it('opens for its endpoint under its key, and for no other', () => {
    const sealed = createSecretBox(key).seal('endpoint', 'whsec_a')
    expect(createSecretBox(key).open('endpoint', sealed)).toBe('whsec_a')
    expect(() => createSecretBox(key).open('another', sealed)).toThrow()
    expect(() => createSecretBox(Buffer.alloc(32, 8)).open('endpoint', sealed)).toThrow()
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i]! ^= 1
      expect(() => createSecretBox(key).open('endpoint', changed), `byte ${i}`).toThrow()
    }
    expect(() => createSecretBox(key).open('endpoint', Buffer.alloc(5))).toThrow()
  })
  it('looks different each time, and keys of another length are refused', () => {
    const box = createSecretBox(key)
    expect(box.seal('e', 's').equals(box.seal('e', 's'))).toBe(false)
    expect(() => createSecretBox(Buffer.alloc(16))).toThrow('32 bytes')
  })
})
