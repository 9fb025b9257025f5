import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/index'
import { keysFileOf, openArtifactSeal } from '#roles/conditionalStore'

const of = { id: 'a', executionId: 'e' }
const artifact = { signature: '0xcanary' }

it('opens an artifact only for the order it was encrypted for, and only unchanged', () => {
  const ring = newSealKey()
  const seal = createArtifactSeal(() => parseSealKeys(ring))
  const sealed = seal.seal(of, artifact)
  expect(seal.open(of, sealed)).toEqual(artifact)
  expect(sealed.sealed.toString('latin1')).not.toContain('canary')
  expect(seal.seal(of, artifact).sealed).not.toEqual(sealed.sealed)
  for (let i = 0; i < sealed.sealed.length; i++) {
    const changed = Buffer.from(sealed.sealed)
    changed[i]! ^= 1
    expect(() => seal.open(of, { ...sealed, sealed: changed })).toThrow('unable to authenticate data')
  }
  expect(() => seal.open({ ...of, id: 'b' }, sealed)).toThrow('unable to authenticate data')
  expect(() => seal.open({ ...of, executionId: 'f' }, sealed)).toThrow('unable to authenticate data')
  expect(() => seal.open(of, { ...sealed, sha256: Buffer.alloc(32) })).toThrow('not the one that was armed')
  expect(() => seal.open(of, { ...sealed, keyId: 'gone' })).toThrow('the sealing key gone is not there')
})

it('encrypts with the newest key, decrypts with every older one, and reloads the keys when it meets an unknown key id', () => {
  let keys = newSealKey()
  const [one, two] = [createArtifactSeal(() => parseSealKeys(keys)), createArtifactSeal(() => parseSealKeys(keys))]
  const old = one.seal(of, artifact)
  keys = `${newSealKey()}\n${keys}\n`
  const rotated = createArtifactSeal(() => parseSealKeys(keys))
  const young = rotated.seal(of, artifact)
  expect(young.keyId).not.toBe(old.keyId)
  expect(rotated.open(of, old)).toEqual(artifact)
  expect(two.open(of, young)).toEqual(artifact)
})

it('parses keys strictly, and shows no key in its errors', () => {
  const [a, b] = [newSealKey(), newSealKey()]
  expect(parseSealKeys(`${a},${b}`).map(({ id }) => id)).toEqual([a.split(':')[0], b.split(':')[0]])
  for (const wrong of ['', 'nokey', 'id:c2hvcnQ=', `${a}\n${a}`])
    expect(() => parseSealKeys(wrong)).toThrow(/^(no sealing key|sealing keys are|two sealing keys)/)
})

it('creates a key file once, readable by its owner only, when no keys are configured', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-seal-'))
  try {
    const conditional = { enabled: true, hosted: true, keys: [] }
    const sealed = openArtifactSeal({ conditional, dataDir })!.seal(of, artifact)
    const text = readFileSync(keysFileOf(dataDir), 'utf8')
    expect(statSync(keysFileOf(dataDir)).mode & 0o777).toBe(0o600)
    expect(openArtifactSeal({ conditional, dataDir })!.open(of, sealed)).toEqual(artifact)
    expect(readFileSync(keysFileOf(dataDir), 'utf8')).toBe(text)
    expect(openArtifactSeal({ conditional: { ...conditional, hosted: false }, dataDir })).toBeNull()
    const configured = openArtifactSeal({ conditional: { ...conditional, keys: [text.trim()] }, dataDir: '/nowhere' })!
    expect(configured.open(of, sealed)).toEqual(artifact)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
