// Lines of the top of book: the tape's busiest read.

import { noTick } from '#storage/clickhouse/columnBuffers'
import type { NativeShape, ReadBlock } from '#storage/clickhouse/nativeReader'
import type { ReplayPosition } from '../tape.ts'
import type { Chunks } from './byteChunks.ts'
import { putSize } from './fixedPoint.ts'
import { putShifted, putTime, shiftedAt, timeAt } from './int64.ts'
import {
  barsMax,
  type Fixed,
  fixed,
  fixedBytesMax,
  fourDigits,
  putFixed,
  putPrice,
  putSmallHundredths,
  putWhole,
  smallHundredths,
  TimeText,
  tickLength,
  tickText,
  timeSpan,
} from './numberFormat.ts'
import type { LinesJob, RowWriter } from './rowWriter.ts'

/** As in the table. */
export const topOfBookShape = [
  { name: 'ts', type: 'UInt64' },
  { name: 'recv_delay', type: 'Int64' },
  { name: 'seq', type: 'UInt16' },
  { name: 'bid', type: 'UInt16' },
  { name: 'bid_fine', type: 'UInt8' },
  { name: 'bid_size', type: 'UInt64' },
  { name: 'bid_size_fine', type: 'UInt16' },
  { name: 'ask', type: 'UInt16' },
  { name: 'ask_fine', type: 'UInt8' },
  { name: 'ask_size', type: 'UInt64' },
  { name: 'ask_size_fine', type: 'UInt16' },
] as const satisfies readonly NativeShape[]

const wordsOf = {
  ndjson: {
    ts: fixed('{"k":"tob","ts":'),
    bid: fixed(',"bid":'),
    bidSize: fixed(',"bidSize":'),
    ask: fixed(',"ask":'),
    askSize: fixed(',"askSize":'),
    recvTs: fixed(',"recvTs":'),
    seq: fixed(',"seq":'),
    none: fixed('null'),
    end: fixed('}\n'),
  },
  csv: {
    ts: fixed(''),
    bid: fixed(','),
    bidSize: fixed(','),
    ask: fixed(','),
    askSize: fixed(','),
    recvTs: fixed(','),
    seq: fixed(','),
    none: fixed(''),
    end: fixed('\n'),
  },
} as const

/** The names, and the longest texts of seven numbers. */
const rowBytesMax = 80 + 7 * 26 + fixedBytesMax
const two32 = 2 ** 32

export function topOfBookWriter({ format, mirrored }: LinesJob): RowWriter {
  const words = wordsOf[format ?? 'ndjson']
  const [times, otherTimes] = [new TimeText(), new TimeText()]

  /** Any row. */
  function putRow({ view }: ReadBlock, at: Places, row: number, out: DataView, to: number): number {
    let end = putTime(out, putFixed(out, to, words.ts), times, view, at.ts + 8 * row)
    end = putSide(view, at.bid, row, out, putFixed(out, end, words.bid), words.bidSize)
    end = putSide(view, at.ask, row, out, putFixed(out, end, words.ask), words.askSize)
    end = putFixed(out, end, words.recvTs)
    end = putShifted(out, end, otherTimes, view, at.ts + 8 * row, at.delay + 8 * row, 1)
    end = putWhole(out, putFixed(out, end, words.seq), view.getUint16(at.seq + 2 * row, true))
    return putFixed(out, end, words.end)
  }

  function putSide(view: DataView, at: SidePlaces, row: number, out: DataView, to: number, sizeName: Fixed): number {
    const tick = view.getUint16(at.tick + 2 * row, true)
    if (tick === noTick) return putFixed(out, putFixed(out, putFixed(out, to, words.none), sizeName), words.none)
    const end = putPrice(out, to, tick, view.getUint8(at.fine + row), mirrored)
    const fine = view.getUint16(at.sizeFine + 2 * row, true)
    return putSize(out, putFixed(out, end, sizeName), view, at.size + 8 * row, fine)
  }

  /**
   * The common case: whole ticks, whole hundredths below a million, a time near the one before. The same steps as above in one function, because the
   * compiler inlines only so much and a page has a million of them. Returns how many rows it wrote; the next one is not of this kind.
   */
  function putPlainRows({ view }: ReadBlock, at: Places, from: number, to: number, chunks: Chunks): number {
    const { ts, delay, seq, bid, ask } = at
    const { low: tsLow, high: tsHigh, length: tsLength } = words.ts
    const { low: bidLow, length: bidLength } = words.bid
    const { low: bidSizeLow, high: bidSizeHigh, length: bidSizeLength } = words.bidSize
    const { low: askLow, length: askLength } = words.ask
    const { low: askSizeLow, high: askSizeHigh, length: askSizeLength } = words.askSize
    const { low: recvLow, high: recvHigh, length: recvLength } = words.recvTs
    const { low: seqLow, length: seqLength } = words.seq
    const { low: endLow, length: endLength } = words.end
    const turn = mirrored ? barsMax : 0
    const sign = mirrored ? -1 : 1
    for (let row = from; row < to; row++) {
      const twice = 2 * row
      const eight = 8 * row
      const ms = view.getUint32(ts + eight + 4, true) * two32 + view.getUint32(ts + eight, true)
      const recvTs = ms + view.getInt32(delay + eight + 4, true) * two32 + view.getUint32(delay + eight, true)
      const after = ms - times.begin
      const recvAfter = recvTs - otherTimes.begin
      const bidTick = view.getUint16(bid.tick + twice, true)
      const askTick = view.getUint16(ask.tick + twice, true)
      const bidSize = view.getUint32(bid.size + eight, true)
      const askSize = view.getUint32(ask.size + eight, true)
      const number = view.getUint16(seq + twice, true)
      const odd =
        view.getUint32(bid.size + eight + 4, true) |
        view.getUint32(ask.size + eight + 4, true) |
        view.getUint16(bid.sizeFine + twice, true) |
        view.getUint16(ask.sizeFine + twice, true) |
        view.getUint8(bid.fine + row) |
        view.getUint8(ask.fine + row)
      const isPlain =
        after >= 0 &&
        after < timeSpan &&
        recvAfter >= 0 &&
        recvAfter < timeSpan &&
        odd === 0 &&
        bidTick <= barsMax &&
        askTick <= barsMax &&
        bidSize < smallHundredths &&
        askSize < smallHundredths &&
        number < 10
      if (!isPlain) return row - from
      chunks.reserve(rowBytesMax)
      const out = chunks.view
      let end = chunks.at
      out.setFloat64(end, tsLow, true)
      out.setFloat64(end + 8, tsHigh, true)
      end += tsLength
      out.setFloat64(end, times.low, true)
      out.setFloat64(end + 8, times.high, true)
      end += times.length
      out.setUint32(end, fourDigits[after]!, true)
      out.setFloat64(end + 4, bidLow, true)
      end += 4 + bidLength
      const bidShown = turn + sign * bidTick
      out.setFloat64(end, tickText[bidShown]!, true)
      end += tickLength[bidShown]!
      out.setFloat64(end, bidSizeLow, true)
      out.setFloat64(end + 8, bidSizeHigh, true)
      end = putSmallHundredths(out, end + bidSizeLength, bidSize)
      out.setFloat64(end, askLow, true)
      end += askLength
      const askShown = turn + sign * askTick
      out.setFloat64(end, tickText[askShown]!, true)
      end += tickLength[askShown]!
      out.setFloat64(end, askSizeLow, true)
      out.setFloat64(end + 8, askSizeHigh, true)
      end = putSmallHundredths(out, end + askSizeLength, askSize)
      out.setFloat64(end, recvLow, true)
      out.setFloat64(end + 8, recvHigh, true)
      end += recvLength
      out.setFloat64(end, otherTimes.low, true)
      out.setFloat64(end + 8, otherTimes.high, true)
      end += otherTimes.length
      out.setUint32(end, fourDigits[recvAfter]!, true)
      out.setFloat64(end + 4, seqLow, true)
      end += 4 + seqLength
      out.setUint8(end, 0x30 + number)
      out.setFloat64(end + 1, endLow, true)
      chunks.at = end + 1 + endLength
    }
    return to - from
  }

  return {
    columns: topOfBookShape,

    write(block: ReadBlock, from: number, to: number, chunks: Chunks): void {
      const at = placesOf(block, mirrored)
      for (let row = from; row < to; row++) {
        row += putPlainRows(block, at, row, to, chunks)
        if (row >= to) return
        chunks.reserve(rowBytesMax)
        chunks.at = putRow(block, at, row, chunks.view, chunks.at)
      }
    },

    positionOf(block: ReadBlock, row: number): ReplayPosition {
      const { ts, delay, seq } = placesOf(block, mirrored)
      const recvTs = shiftedAt(block.view, ts + 8 * row, delay + 8 * row, 1)
      return { ts: timeAt(block.view, ts + 8 * row), tie: `${recvTs}.${block.view.getUint16(seq + 2 * row, true)}` }
    },
  }
}

interface SidePlaces {
  tick: number
  fine: number
  size: number
  sizeFine: number
}

interface Places {
  ts: number
  delay: number
  seq: number
  bid: SidePlaces
  ask: SidePlaces
}

/** Column offsets. For a mirrored outcome the bid is the other side's ask. */
function placesOf({ columns }: ReadBlock, mirrored: boolean): Places {
  const [ts, delay, seq, ...sides] = columns.map(({ at }) => at) as [number, number, number, ...number[]]
  const sideAt = (first: number): SidePlaces => {
    const [tick, fine, size, sizeFine] = sides.slice(first) as [number, number, number, number]
    return { tick, fine, size, sizeFine }
  }
  return { ts, delay, seq, bid: sideAt(mirrored ? 4 : 0), ask: sideAt(mirrored ? 0 : 4) }
}
