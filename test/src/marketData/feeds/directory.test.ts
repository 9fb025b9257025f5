// Addresses and calls compared with those collected from Chainlink's own pages, next to the project.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { aggregate3, multicall } from '#marketData/feeds/chainlink/batch'
import { selectors } from '#marketData/feeds/chainlink/calls'
import { chainlinkChains } from '#marketData/feeds/index'
import { chainNames } from '#schemas/feeds'

const factsFile = fileURLToPath(new URL('../../../../../shared/facts/feeds.md', import.meta.url))
const facts = existsSync(factsFile) ? readFileSync(factsFile, 'utf8') : null
const absent = facts === null ? ' (needs ../shared/facts/feeds.md, which is missing next to this checkout)' : ''
const ofFacts = it.skipIf(facts === null)

it('writes every address in checksum case, and only once', () => {
  const all = Object.values(chainlinkChains).flatMap(({ proxies, sequencer }) => [
    ...Object.values(proxies),
    ...(sequencer === null ? [] : [sequencer]),
  ])
  expect(new Set(all).size).toBe(all.length)
  for (const address of all) expect(getAddress(address)).toBe(address)
})

ofFacts(`has the proxy addresses of the table${absent}`, () => {
  const rows = [...facts!.matchAll(/^\| ([A-Z]+\/USD) \|(.*)\|$/gm)]
  expect(rows.length).toBe(10)
  const table = Object.fromEntries(chainNames.map((name) => [name, {} as Record<string, string>]))
  for (const [, pair, cells] of rows)
    for (const [n, cell] of cells!.split('|').entries()) {
      const address = /`(0x[0-9a-fA-F]{40})`/.exec(cell)?.[1]
      if (address !== undefined) table[chainNames[n]!]![pair!] = address
    }
  table.arbitrum!['HYPE/USD'] = /HYPE\/USD Arbitrum `(0x\w+)`/.exec(facts!)![1]!
  for (const name of chainNames) expect(chainlinkChains[name].proxies).toEqual(table[name])
  const [, arbitrum, base] = /uptime feeds: Arbitrum `(0x\w+)`, Base `(0x\w+)`/.exec(facts!)!
  expect(chainNames.map((name) => chainlinkChains[name].sequencer)).toEqual([null, arbitrum, base, null, null])
})

ofFacts(`has the selector of every call${absent}`, () => {
  const known = Object.fromEntries(
    [...facts!.matchAll(/^\| (\w+)\([^|]*\|[^|]*\| `0x([0-9a-f]{8})`/gm)].map(([, name, selector]) => [name, selector]),
  )
  expect(known).toMatchObject(selectors)
  expect(facts).toContain(`\`0x${aggregate3}\``)
  expect(facts).toContain(`\`${multicall}\``)
})
