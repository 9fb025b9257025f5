// docs/option-prices.md: its examples are accepted and sent by the stream, and its tables agree with the manifests. Its commands are run as
// printed against the demo in test/endToEnd/optionPrices.test.ts.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OptionPriceData } from '#schemas/optionPrices'
import { ClientOp } from '#schemas/stream'
import { manifests } from '#venues/registry'

const page = readFileSync(new URL('../../../../docs/option-prices.md', import.meta.url), 'utf8')
const priced = manifests.flatMap(({ slug, data: { optionPrices } }) =>
  optionPrices === undefined ? [] : [{ slug, ...optionPrices }],
)

test('its messages are those of the stream', () => {
  const [op, frame] = [...page.matchAll(/^ {4}(\{"[\s\S]*?\})$/gm)].map(([, text]) => JSON.parse(text!))
  expect(ClientOp.parse(op)).toEqual(op)
  expect([frame.type, frame.venue, frame.marketId]).toEqual(['price', op.venue, op.marketId])
  expect(OptionPriceData.parse(frame.data)).toEqual(frame.data)
})

test('its venues are those with option prices, with the logs they are read from', () => {
  const rows = new Map([...page.matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row, venue]) => [venue!, row]))
  expect([...rows.keys()].filter((name) => !/[A-Z]/.test(name)).sort()).toEqual(priced.map(({ slug }) => slug).sort())
  for (const { slug, chain, needsAddress } of priced) {
    for (const event of chain?.events ?? []) expect(rows.get(slug)).toContain(`\`${event.name}\``)
    expect(rows.get(slug)!.includes('`marketAddress`')).toBe(needsAddress === true)
  }
})

test('its numbers are those of the manifests', () => {
  for (const { chain, poll } of priced) {
    if (chain !== undefined) expect(page).toContain(`${chain.confirmations} of `)
    if (poll !== undefined) expect(page).toContain(`${poll.readsPerMinute} of `)
  }
})
