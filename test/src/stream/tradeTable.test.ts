// The page's table of a trade names every field of its three shapes, and no others.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TradeLine } from '#schemas/history'
import { Trade } from '#schemas/marketData'
import { TradeFrame } from '#schemas/streamFrames'

const page = readFileSync(new URL('../../../docs/stream.md', import.meta.url), 'utf8')
const [, section] = page.split('## A trade in three places\n')
const rows = section!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .slice(1)
  .map((line) => line.split('|').slice(2, 5))

/** In code before a colon; after a colon are descriptions of the field. */
const namesIn = (cell: string): string[] => [...cell.split(':')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

test.each([
  ['the stream', 0, Object.keys(TradeFrame.shape.data.shape)],
  ['fetchTrades', 1, Object.keys(Trade.shape)],
  ['replay', 2, Object.keys(TradeLine.shape)],
])('of %s', (_name, column, fields) => {
  expect(rows.flatMap((cells) => namesIn(cells[column]!)).toSorted()).toEqual([...fields].toSorted())
})
