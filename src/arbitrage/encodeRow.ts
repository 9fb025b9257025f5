// Rows as bytes, equal to JSON.stringify of rowOf: constant parts are written once per surface, a leg once per change of its side, so
// a row costs a few copies and five numbers.
import { numberBytesMax, writePrice, writeSize } from '#core/books/jsonBytes'
import { Slab } from '#core/slabAllocator'
import { type AsciiWords, asciiWords, writeWords } from './asciiEncoder.ts'
import type { ClusterInput, PairFacts } from './cluster.ts'
import type { CompiledSurface, RowFacts, SideFacts } from './compileSurface.ts'
import { feeBasis } from './fees.ts'
import {
  arbitrageLabel,
  executabilityReasons,
  indicativeLabel,
  legExecutable,
  rowExecutable,
  rowReasons,
} from './flags.ts'
import { decimalBytesMax, isoBytes, writeDecimal, writeIso } from './numberEncoder.ts'
import { legNote, ratioMillionths } from './row.ts'
import type { SurfaceTable } from './table.ts'

const nullWord = asciiWords('null')
const costKey = asciiWords(',"cost":')
const feeKey = asciiWords(',"fee":')
const filledKey = asciiWords(',"filled":')
const totalKey = asciiWords(',"totalCost":')
const roiKey = asciiWords(',"roi":')
const QUOTE = 34
const BRACE = 125

/** Numbers and the short texts between them, per leg and per row. */
const legBytesMax = 3 * decimalBytesMax + 2 * numberBytesMax + isoBytes + 64
const rowBytesMax = 4 * decimalBytesMax + isoBytes + 128

/** The constant parts of a row except its venues: those of both directions of a pair. */
interface PairWords {
  /** To the end of the cluster's id. */
  head: Buffer
  /** From the end of the key to the first leg. */
  question: Buffer
  resolution: Buffer
  match: Buffer
}

/** What the rows of one cluster share. */
interface ClusterWords {
  cluster: ClusterInput
  head: Buffer
  questions: Map<number | null, Buffer>
  pairs: Map<PairFacts, PairWords>
}

export class RowEncoder {
  readonly surface: CompiledSurface
  readonly table: SurfaceTable
  /** Rows and legs encoded so far. */
  legsEncoded = 0
  rowsEncoded = 0
  // Created on first use and shared where possible: a large surface causes no long pause at its start, neither for encoding nor for
  // garbage collection.
  private readonly slab = new Slab()
  private readonly words: (PairWords | undefined)[]
  /** By side. */
  private readonly venues: (AsciiWords | undefined)[]
  /** Of the cluster encoded last. */
  private shared: ClusterWords | null = null
  /** By side: the leg in a buffer that may be longer. Its first bytes never change. */
  private readonly legs: (Buffer | undefined)[]
  private readonly legViews: (DataView | undefined)[]
  private readonly legTails: (Buffer | undefined)[]
  private readonly legHeadSize: Int32Array
  private readonly legSize: Int32Array
  private readonly legVersion: Int32Array
  private readonly tails = new Map<number, Buffer>()
  private readonly venueWords = new Map<string, AsciiWords>()
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
    this.words = new Array<PairWords | undefined>(plan.rows)
    this.venues = new Array<AsciiWords | undefined>(plan.sides)
    this.legs = new Array<Buffer | undefined>(plan.sides)
    this.legViews = new Array<DataView | undefined>(plan.sides)
    this.legTails = new Array<Buffer | undefined>(plan.sides)
    this.legHeadSize = new Int32Array(plan.sides)
    this.legSize = new Int32Array(plan.sides)
    this.legVersion = new Int32Array(plan.sides).fill(-1)
  }

  /** The table was recreated: its versions do not apply to the cached legs. */
  forget(): void {
    this.legVersion.fill(-1)
  }

  /** Writes the row into `scratch` and returns its length. The caller reads under the cluster's lock or knows that nothing is being written. */
  encode(row: number): number {
    const { plan, rowFacts, sideFacts } = this.surface
    const { table } = this
    const yes = plan.rowYes[row]!
    const no = plan.rowNo[row]!
    const yesLeg = this.leg(yes)
    const noLeg = this.leg(no)
    this.words[row] ??= this.pairWords(row)
    const { head, question, resolution, match } = this.words[row]!
    this.venues[yes] ??= this.venue(sideFacts[yes]!.member.venue)
    this.venues[no] ??= this.venue(sideFacts[no]!.member.venue)
    const venueYes = this.venues[yes]!
    const venueNo = this.venues[no]!
    const net = table.net[row]!
    const priced = !Number.isNaN(net)
    const verdict = this.verdict(table.flags[yes]!, table.flags[no]!, rowFacts[row]!, priced && net > 0)
    this.reserve(
      head.length +
        venueYes.size +
        venueNo.size +
        question.length +
        yesLeg.length +
        noLeg.length +
        resolution.length +
        match.length +
        verdict.size +
        rowBytesMax,
    )
    const { out, view } = this
    out.set(head)
    let at = writeWords(view, head.length, venueYes)
    at = writeWords(view, at, venueNo)
    out.set(question, at)
    at += question.length
    // Whole buffers: they copy faster than parts of them, and the excess is overwritten next.
    out.set(yesLeg, at)
    at += this.legSize[yes]!
    out.set(noLeg, at)
    at += this.legSize[no]!
    out.set(resolution, at)
    at += resolution.length
    const settleYes = table.settlement[yes]!
    const settleNo = table.settlement[no]!
    at = putMoney(view, at, settleYes < 0 || settleNo < 0 ? -1 : Math.max(settleYes, settleNo))
    at = writeWords(view, at, totalKey)
    const total = this.payoutMicros - net
    at = priced ? writeDecimal(view, at, total) : writeWords(view, at, nullWord)
    at = writeWords(view, at, this.payout)
    at = priced ? writeDecimal(view, at, net) : writeWords(view, at, nullWord)
    at = writeWords(view, at, roiKey)
    at = priced && total !== 0 ? writeDecimal(view, at, ratioMillionths(net, total)) : writeWords(view, at, nullWord)
    out.set(match, at)
    at += match.length
    at = writeWords(view, at, verdict)
    at = putTime(view, at, Math.min(table.asOf[yes]!, table.asOf[no]!))
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
    const verdict = this.legVerdict(table.flags[side]!)
    this.legTails[side] ??= this.legTail(side)
    const tail = this.legTails[side]!
    const into = this.legBuffer(side, held, verdict.size + tail.length + legBytesMax)
    const view = this.legViews[side]!
    const start = into.byteOffset
    let at = writeWords(view, start + this.legHeadSize[side]!, verdict)
    const vwap = table.vwap(side)
    at = vwap < 0 ? writeWords(view, at, nullWord) : writePrice(view, at, vwap)
    at = writeWords(view, at, costKey)
    at = putMoney(view, at, table.cost[side]!)
    at = writeWords(view, at, feeKey)
    at = putMoney(view, at, table.fee[side]!)
    at = writeWords(view, at, filledKey)
    const filled = table.filled[side]!
    at = writeSize(view, at, filled)
    at = writeWords(view, at, filled === this.surface.plan.contracts ? fullKey : partKey)
    into.set(tail, at - start)
    at = putTime(view, at + tail.length, table.asOf[side]!)
    view.setUint8(at++, BRACE)
    this.legSize[side] = at - start
    this.legVersion[side] = version
    this.legsEncoded++
    return into
  }

  /** A buffer with the leg's constant beginning and space for `bytes` more. */
  private legBuffer(side: number, held: Buffer | undefined, bytes: number): Buffer {
    if (held !== undefined && this.legHeadSize[side]! + bytes <= held.length) return held
    const head = legHead(this.surface.sideFacts[side]!, side % 2 === 1)
    const headSize = Buffer.byteLength(head)
    if (held !== undefined) this.slab.giveBack(held)
    const into = this.slab.take(headSize + bytes + 32)
    into.write(head)
    this.legs[side] = into
    this.legViews[side] = this.slab.view(into)
    this.legHeadSize[side] = headSize
    return into
  }

  private legVerdict(flags: number): AsciiWords {
    let words = this.legVerdicts.get(flags)
    if (words === undefined) {
      words = asciiWords(`${legExecutable(flags)},"reasons":${JSON.stringify(executabilityReasons(flags))},"vwap":`)
      this.legVerdicts.set(flags, words)
    }
    return words
  }

  /** From `executable` to the text before the time. At most one entry per combination of reasons that occurs. */
  private verdict(
    yesFlags: number,
    noFlags: number,
    { verified, pricesDiffer }: Pick<RowFacts, 'verified' | 'pricesDiffer'>,
    profits: boolean,
  ): AsciiWords {
    const bits = (verified ? 4 : 0) + (pricesDiffer ? 2 : 0) + (profits ? 1 : 0)
    const key = (yesFlags * 512 + noFlags) * 8 + bits
    let words = this.verdicts.get(key)
    if (words === undefined) {
      const executable = rowExecutable(yesFlags, noFlags, verified)
      const label = executable && profits ? arbitrageLabel : indicativeLabel
      const reasons = JSON.stringify(rowReasons(yesFlags, noFlags, verified, pricesDiffer))
      words = asciiWords(`${executable},"reasons":${reasons},"label":${JSON.stringify(label)},"asOf":`)
      this.verdicts.set(key, words)
    }
    return words
  }

  private venue(name: string): AsciiWords {
    let words = this.venueWords.get(name)
    if (words === undefined) {
      words = asciiWords(`:${name}`)
      this.venueWords.set(name, words)
    }
    return words
  }

  /** One for each fee and note there is. */
  private legTail(side: number): Buffer {
    const { plan, sideFacts } = this.surface
    const facts = sideFacts[side]!
    const inverse = facts.member.polarity === 'inverse'
    const key =
      ((plan.fee[side]! * 2 + (inverse ? 1 : 0)) * 2 + (facts.side === 'yes' ? 1 : 0)) * 2 + plan.complement[side]!
    let tail = this.tails.get(key)
    if (tail === undefined) {
      tail = this.slab.text(legTail(facts))
      this.tails.set(key, tail)
    }
    return tail
  }

  private pairWords(row: number): PairWords {
    const { cluster, pair, similarity } = this.surface.rowFacts[row]!
    if (this.shared?.cluster !== cluster) {
      const id = JSON.stringify(cluster.clusterId).slice(0, -1)
      this.shared = { cluster, head: this.slab.text(`{"clusterId":${id}`), questions: new Map(), pairs: new Map() }
    }
    const { head, questions, pairs } = this.shared
    let words = pairs.get(pair)
    if (words !== undefined) return words
    let question = questions.get(similarity)
    if (question === undefined) {
      question = this.slab.text(
        `","question":${JSON.stringify(cluster.question)},"similarity":${JSON.stringify(similarity)},` +
          `"contracts":${JSON.stringify(this.surface.plan.contracts)},"legs":{"buyYes":`,
      )
      questions.set(similarity, question)
    }
    words = {
      head,
      question,
      resolution: this.slab.text(resolutionWords(pair)),
      match: this.slab.text(matchWords(pair)),
    }
    pairs.set(pair, words)
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
  micros < 0 ? writeWords(view, at, nullWord) : writeDecimal(view, at, micros)

function putTime(view: DataView, at: number, epochMs: number): number {
  if (epochMs < 0) return writeWords(view, at, nullWord)
  view.setUint8(at, QUOTE)
  const end = writeIso(view, at + 1, epochMs)
  view.setUint8(end, QUOTE)
  return end + 1
}

/** Odd sides are always bought as the NO of a row. */
const legHead = ({ member, side }: SideFacts, isNo: boolean): string =>
  `${isNo ? ',"buyNo":' : ''}{"venue":${JSON.stringify(member.venue)},"canonicalMarketId":${JSON.stringify(member.canonicalMarketId)},` +
  `"side":"${side}","executable":`

function legTail(facts: SideFacts): string {
  const note = legNote(facts)
  return `${note === undefined ? '' : `,"note":${JSON.stringify(note)}`},"feeBasis":${JSON.stringify(feeBasis(facts.member.fee))},"asOf":`
}

function resolutionWords({ resolution }: PairFacts): string {
  const { compatible, reason, auditReasons } = resolution
  return `},"resolution":${JSON.stringify({ compatible, reason, auditReasons })},"settlementFee":`
}

function matchWords(pair: PairFacts): string {
  const { resolutionEquivalence, matchScore, matchBand } = pair
  const matchDifferences = pair.matchDifferences.map(({ kind, detail, points }) => ({ kind, detail, points }))
  const text = JSON.stringify({ resolutionEquivalence, matchScore, matchBand, matchDifferences })
  return `,${text.slice(1, -1)},"executable":`
}
