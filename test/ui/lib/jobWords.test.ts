import { describe, expect, it } from 'vitest'
import { catalogInWords, matcherInWords } from '../../../ui/lib/jobWords.ts'

const at = Date.parse('2026-11-29T12:00:00Z')
const asOf = new Date(at - 120_000).toISOString()

describe('the state of the catalog reads', () => {
  it.each([
    ['ok', 'good', 'complete'],
    ['fieldsLost', 'warn', 'fields missing'],
    ['rowsLost', 'warn', 'markets missing'],
    ['failing', 'bad', 'failing'],
  ] as const)('%s', (state, tone, words) => {
    expect(catalogInWords({ state, reason: null, asOf }, at)).toEqual({ tone, words, age: '2 min ago' })
  })

  it('is unknown before a process reports it, and has no age then', () => {
    expect(catalogInWords({ state: 'unknown', reason: 'no process reports it', asOf: null }, at)).toEqual({
      tone: 'quiet',
      words: 'not known yet',
      age: null,
    })
  })

  it('has no negative age when the clock of the page is behind', () => {
    expect(catalogInWords({ state: 'ok', reason: null, asOf }, at - 600_000).age).toBe('0 ms ago')
  })
})

it('the matching of markets is up to date or failing', () => {
  const words = (state: 'ok' | 'failing') => matcherInWords({ state, reason: null, asOf }, at).words
  expect([words('ok'), words('failing')]).toEqual(['up to date', 'failing'])
})
