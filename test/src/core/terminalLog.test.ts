import { expect, it } from 'vitest'
import { createTerminalLog } from '#core/terminalLog'

function open(level = 'info') {
  const shown: string[] = []
  return { ...createTerminalLog(level, (text) => shown.push(text)), shown }
}

it('shows only errors while the program starts, and counts the hidden messages', () => {
  const { log, started, shown } = open()
  log.warn('the database is not there yet')
  log.info('hello')
  log.error('out of space')
  expect(shown).toEqual(['error: out of space\n'])
  expect(started()).toBe(2)
  log.warn({ venue: 'kalshi' }, 'the feed is silent')
  expect(shown.at(-1)).toBe('warning: kalshi: the feed is silent\n')
})

it('shows the reason of an error in one line, without its stack, and not twice in a row', () => {
  const { log, shown } = open()
  for (let i = 0; i < 3; i++) log.error({ err: new Error('connection\nrefused') }, 'matching failed')
  expect(shown).toEqual(['error: matching failed (connection refused)\n'])
})

it('cuts long lines, and shows no control characters of a venue', () => {
  const { log, shown } = open()
  log.error({ venue: 'kalshi' }, `title \u001b[31mred\u0007 ${'x'.repeat(500)}`)
  expect(shown[0]).toMatch(/^[^\p{Cc}]+\n$/u)
  expect(shown[0]!.length).toBe(161)
})

it('shows no secret', () => {
  const { log, shown } = open()
  log.error({ apiKey: 'xb_live_1' }, 'refused')
  expect(shown).toEqual(['error: refused\n'])
})
