// Rows as bytes, equal to JSON.stringify of rowOf: words that never change are written once per surface, a leg once per change of its
// side, a row is then a few copies and five numbers.
import { numberBytesMax, writePrice, writeSize } from '#books/jsonBytes'
import { Slab } from '#lib/slab'
import { type AsciiWords, asciiWords, putWords } from './asciiWords.ts'
import type { PairFacts } from './cluster.ts'
import { feeBasis } from './fees.ts'
import { arbitrageLabel, indicativeLabel, legExecutable, legReasons, rowExecutable, rowReasons } from './flags.ts'
import { decimalBytesMax, isoBytes, writeDecimal, writeIso } from './numberBytes.ts'
import type { CompiledSurface, SideFacts } from './plan.ts'
import { legNote, ratioMillionths } from './row.ts'
import type { SurfaceTable } from './table.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text)
const nullWord = asciiWords('null')
const costKey = asciiWords(',"cost":')
const feeKey = asciiWords(',"fee":')
const filledKey = asciiWords(',"filled":')
const totalKey = asciiWords(',"totalCost":')
const roiKey = asciiWords(',"roi":')
const QUOTE = 34
const BRACE = 125

/** Numbers and the small words between them, per leg and per row. */
const legBytesMax = 3 * decimalBytesMax + 2 * numberBytesMax + 64
const rowBytesMax = 4 * decimalBytesMax + isoBytes + 128

interface PairWords {
  resolution: Buffer
  match: Buffer
}

export class RowEncoder {
  readonly surface: CompiledSurface
  readonly table: SurfaceTable
  /** Rows and legs written so far. */
  legsEncoded = 0
  rowsEncoded = 0
  /** Words that never change are made at the first use: a big surface costs no long pause at its start. */
  private readonly heads: (Buffer | undefined)[]
  private readonly legHeads: (Buffer | undefined)[]
  private readonly legTails: (Buffer | undefined)[]
  private readonly legs: (Buffer | undefined)[]
  private readonly legSpace: (Buffer | undefined)[]
  private readonly legViews: (DataView | undefined)[]
  private readonly slab = new Slab()
  private readonly legVersion: Int32Array
  private readonly words: (PairWords | undefined)[]
  private readonly wordsOfPair = new Map<PairFacts, PairWords>()
  private readonly payout: AsciiWords
  private readonly payoutMicros: number
  private readonly legVerdicts = new Map<number, AsciiWords>()
  private readonly verdicts = new Map<number, AsciiWords>()
  private out = Buffer.allocUnsafe(64 * 1024)
  private view = new DataView(this.out.buffer, this.out.byteOffset, this.out.length)

  constructor(surface: CompiledSurface, table: SurfaceTable) {
    const { plan } = surface
    this.surface = surface
    this.table = table
    this.payoutMicros = Math.round(plan.contracts * 1e6)
    this.payout = asciiWords(`,"payout":${JSON.stringify(plan.contracts)},"netEdge":`)
    this.legs = new Array<Buffer | undefined>(plan.sides)
    this.legSpace = new Array<Buffer | undefined>(plan.sides)
    this.legViews = new Array<DataView | undefined>(plan.sides)
    this.legVersion = new Int32Array(plan.sides).fill(-1)
    this.legHeads = new Array<Buffer | undefined>(plan.sides)
    this.legTails = new Array<Buffer | undefined>(plan.sides)
    this.heads = new Array<Buffer | undefined>(plan.rows)
    this.words = new Array<PairWords | undefined>(plan.rows)
  }

  /** The table was begun anew: its versions say nothing of the legs held. */
  forget(): void {
    this.legVersion.fill(-1)
  }

  /** Writes the row into `scratch` and returns its length. The caller reads under the cluster's lock or knows nobody writes. */
  encode(row: number): number {
    const { plan, rowFacts } = this.surface
    const { table } = this
    const yes = plan.rowYes[row]!
    const no = plan.rowNo[row]!
    const yesLeg = this.leg(yes)
    const noLeg = this.leg(no)
    this.heads[row] ??= this.rowHead(row)
    this.words[row] ??= this.pairWords(rowFacts[row]!.pair)
    const head = this.heads[row]!
    const { resolution, match } = this.words[row]!
    const net = table.net[row]!
    const priced = !Number.isNaN(net)
    const verdict = this.verdict(table.flags[yes]!, table.flags[no]!, rowFacts[row]!.verified, priced && net > 0)
    this.reserve(
      head.length + yesLeg.length + noLeg.length + resolution.length + match.length + verdict.size + rowBytesMax,
    )
    const { out, view } = this
    out.set(head)
    let at = head.length
    out.set(yesLeg, at)
    at += yesLeg.length
    out.set(noLeg, at)
    at += noLeg.length
    out.set(resolution, at)
    at += resolution.length
    const settleYes = table.settlement[yes]!
    const settleNo = table.settlement[no]!
    at = putMoney(view, at, settleYes < 0 || settleNo < 0 ? -1 : Math.max(settleYes, settleNo))
    at = putWords(view, at, totalKey)
    const total = this.payoutMicros - net
    at = priced ? writeDecimal(view, at, total) : putWords(view, at, nullWord)
    at = putWords(view, at, this.payout)
    at = priced ? writeDecimal(view, at, net) : putWords(view, at, nullWord)
    at = putWords(view, at, roiKey)
    at = priced && total !== 0 ? writeDecimal(view, at, ratioMillionths(net, total)) : putWords(view, at, nullWord)
    out.set(match, at)
    at += match.length
    at = putWords(view, at, verdict)
    const asOf = Math.min(table.asOf[yes]!, table.asOf[no]!)
    if (asOf < 0) at = putWords(view, at, nullWord)
    else {
      out[at] = QUOTE
      at = writeIso(view, at + 1, asOf)
      out[at++] = QUOTE
    }
    out[at++] = BRACE
    this.rowsEncoded++
    return at
  }

  /** Where `encode` wrote; valid until the next call. */
  get scratch(): Buffer {
    return this.out
  }

  private leg(side: number): Buffer {
    const { table } = this
    const version = table.version[side]!
    const held = this.legs[side]
    if (held !== undefined && this.legVersion[side] === version) return held
    const flags = table.flags[side]!
    const verdict = this.legVerdict(flags)
    this.legHeads[side] ??= legHead(this.surface.sideFacts[side]!, side % 2 === 1)
    this.legTails[side] ??= legTail(this.surface.sideFacts[side]!)
    const head = this.legHeads[side]!
    const tail = this.legTails[side]!
    const capacity = head.length + verdict.size + tail.length + legBytesMax
    let into = this.legSpace[side]
    if (into === undefined || into.length < capacity) {
      if (into !== undefined) this.slab.giveBack(into)
      into = this.slab.take(capacity + 32)
      this.legSpace[side] = into
      this.legViews[side] = new DataView(into.buffer, into.byteOffset, into.length)
    }
    const view = this.legViews[side]!
    into.set(head)
    let at = putWords(view, head.length, verdict)
    const vwap = table.vwap(side)
    at = vwap < 0 ? putWords(view, at, nullWord) : writePrice(view, at, vwap)
    at = putWords(view, at, costKey)
    at = putMoney(view, at, table.cost[side]!)
    at = putWords(view, at, feeKey)
    at = putMoney(view, at, table.fee[side]!)
    at = putWords(view, at, filledKey)
    const filled = table.filled[side]!
    at = writeSize(view, at, filled)
    at = putWords(view, at, filled === this.surface.plan.contracts ? fullKey : partKey)
    into.set(tail, at)
    at += tail.length
    // A view of the very size, kept while the size stays: whole arrays copy faster than parts of them.
    const leg =
      held?.length === at && held.buffer === into.buffer && held.byteOffset === into.byteOffset
        ? held
        : into.subarray(0, at)
    this.legs[side] = leg
    this.legVersion[side] = version
    this.legsEncoded++
    return leg
  }

  private legVerdict(flags: number): AsciiWords {
    let words = this.legVerdicts.get(flags)
    if (words === undefined) {
      words = asciiWords(`${legExecutable(flags)},"reasons":${JSON.stringify(legReasons(flags))},"vwap":`)
      this.legVerdicts.set(flags, words)
    }
    return words
  }

  /** `executable` to the word before the time. At most one entry per combination of reasons that occurs. */
  private verdict(yesFlags: number, noFlags: number, verified: boolean, profits: boolean): AsciiWords {
    const key = ((yesFlags * 512 + noFlags) * 2 + (verified ? 1 : 0)) * 2 + (profits ? 1 : 0)
    let words = this.verdicts.get(key)
    if (words === undefined) {
      const executable = rowExecutable(yesFlags, noFlags, verified)
      const label = executable && profits ? arbitrageLabel : indicativeLabel
      const reasons = JSON.stringify(rowReasons(yesFlags, noFlags, verified))
      words = asciiWords(`${executable},"reasons":${reasons},"label":${JSON.stringify(label)},"asOf":`)
      this.verdicts.set(key, words)
    }
    return words
  }

  private rowHead(row: number): Buffer {
    const { key, cluster, similarity } = this.surface.rowFacts[row]!
    return bytesOf(
      `{"clusterId":${JSON.stringify(key)},"question":${JSON.stringify(cluster.question)},"similarity":${JSON.stringify(similarity)},` +
        `"contracts":${JSON.stringify(this.surface.plan.contracts)},"legs":{"buyYes":`,
    )
  }

  /** Both directions of a pair share their words. */
  private pairWords(pair: PairFacts): PairWords {
    let words = this.wordsOfPair.get(pair)
    if (words === undefined) {
      words = { resolution: resolutionWords(pair), match: matchWords(pair) }
      this.wordsOfPair.set(pair, words)
    }
    return words
  }

  private reserve(size: number): void {
    if (size <= this.out.length) return
    this.out = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(size)))
    this.view = new DataView(this.out.buffer, this.out.byteOffset, this.out.length)
  }
}

const fullKey = asciiWords(',"fullyFilled":true')
const partKey = asciiWords(',"fullyFilled":false')

const putMoney = (view: DataView, at: number, micros: number): number =>
  micros < 0 ? putWords(view, at, nullWord) : writeDecimal(view, at, micros)

/** Odd sides are bought as the NO of a row, always. */
const legHead = ({ member, side }: SideFacts, isNo: boolean): Buffer =>
  bytesOf(
    `${isNo ? ',"buyNo":' : ''}{"venue":${JSON.stringify(member.venue)},"canonicalMarketId":${JSON.stringify(member.canonicalMarketId)},` +
      `"side":"${side}","executable":`,
  )

function legTail(facts: SideFacts): Buffer {
  const note = legNote(facts)
  return bytesOf(
    `${note === undefined ? '' : `,"note":${JSON.stringify(note)}`},"feeBasis":${JSON.stringify(feeBasis(facts.member.fee))}}`,
  )
}

function resolutionWords({ resolution }: PairFacts): Buffer {
  const { compatible, reason, auditReasons } = resolution
  return bytesOf(`},"resolution":${JSON.stringify({ compatible, reason, auditReasons })},"settlementFee":`)
}

function matchWords(pair: PairFacts): Buffer {
  const { resolutionEquivalence, matchScore, matchBand } = pair
  const matchDifferences = pair.matchDifferences.map(({ kind, detail, points }) => ({ kind, detail, points }))
  const text = JSON.stringify({ resolutionEquivalence, matchScore, matchBand, matchDifferences })
  return bytesOf(`,${text.slice(1, -1)},"executable":`)
}
