// The client messages on the pages are accepted by the stream, and the server messages follow the contract.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AckFrame } from '#schemas/streamFrames'
import { parseClientFrame } from '#stream/protocol'

const docs = new URL('../../../docs/', import.meta.url)
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))
const examples = pages.flatMap((page) =>
  [...readFileSync(new URL(page, docs), 'utf8').matchAll(/^ *(\{"(?:op|type)":.*\})$/gm)].map(
    ([, json]) => [page, json!] as const,
  ),
)

test('there are examples of operations', () => {
  expect(examples.filter(([page]) => page === 'stream.md').length).toBeGreaterThanOrEqual(4)
})

test.each(examples.filter(([, json]) => json.startsWith('{"op"')))('%s: %s', (_page, json) => {
  expect(parseClientFrame(Buffer.from(json), false)).toMatchObject({ ok: true })
})

test.each(examples.filter(([, json]) => json.startsWith('{"type":"subscribed"')))('%s: %s', (_page, json) => {
  expect(AckFrame.safeParse(JSON.parse(json)).error).toBeUndefined()
})
