// Rows as bytes, equal to JSON.stringify of rowOf: words that never change are written once per surface, a leg once per change of its
// side, a row is then a few copies and five numbers.
import { numberBytesMax, writePrice, writeSize } from '#books/jsonBytes'
import type { PairFacts } from './cluster.ts'
import { feeBasis } from './fees.ts'
import { arbitrageLabel, indicativeLabel, legExecutable, legReasons, rowExecutable, rowReasons } from './flags.ts'
import { decimalBytesMax, isoBytes, writeDecimal, writeIso } from './numberBytes.ts'
import type { CompiledSurface, SideFacts } from './plan.ts'
import { legNote, ratioMillionths } from './row.ts'
import type { SurfaceTable } from './table.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text)
const nullBytes = bytesOf('null')
const costKey = bytesOf(',"cost":')
const feeKey = bytesOf(',"fee":')
const filledKey = bytesOf(',"filled":')
const buyNoKey = bytesOf(',"buyNo":')
const totalKey = bytesOf(',"totalCost":')
const roiKey = bytesOf(',"roi":')
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
  private readonly legSize: Int32Array
  private readonly legVersion: Int32Array
  private readonly words: (PairWords | undefined)[]
  private readonly wordsOfPair = new Map<PairFacts, PairWords>()
  private readonly payout: Buffer
  private readonly payoutMicros: number
  private readonly legVerdicts = new Map<number, Buffer>()
  private readonly verdicts = new Map<number, Buffer>()
  private out = Buffer.allocUnsafe(64 * 1024)
  private view = new DataView(this.out.buffer, this.out.byteOffset, this.out.length)

  constructor(surface: CompiledSurface, table: SurfaceTable) {
    const { plan } = surface
    this.surface = surface
    this.table = table
    this.payoutMicros = Math.round(plan.contracts * 1e6)
    this.payout = bytesOf(`,"payout":${JSON.stringify(plan.contracts)},"netEdge":`)
    this.legs = new Array<Buffer | undefined>(plan.sides)
    this.legSize = new Int32Array(plan.sides)
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
    const yesSize = this.legSize[yes]!
    const noSize = this.legSize[no]!
    this.reserve(head.length + yesSize + noSize + resolution.length + match.length + verdict.length + rowBytesMax)
    const { out, view } = this
    let at = head.copy(out, 0)
    at += yesLeg.copy(out, at, 0, yesSize)
    at += buyNoKey.copy(out, at)
    at += noLeg.copy(out, at, 0, noSize)
    at += resolution.copy(out, at)
    const settleYes = table.settlement[yes]!
    const settleNo = table.settlement[no]!
    at = this.money(at, settleYes < 0 || settleNo < 0 ? -1 : Math.max(settleYes, settleNo))
    at += totalKey.copy(out, at)
    const total = this.payoutMicros - net
    at = priced ? writeDecimal(view, at, total) : at + nullBytes.copy(out, at)
    at += this.payout.copy(out, at)
    at = priced ? writeDecimal(view, at, net) : at + nullBytes.copy(out, at)
    at += roiKey.copy(out, at)
    at = priced && total !== 0 ? writeDecimal(view, at, ratioMillionths(net, total)) : at + nullBytes.copy(out, at)
    at += match.copy(out, at)
    at += verdict.copy(out, at)
    const asOf = Math.min(table.asOf[yes]!, table.asOf[no]!)
    if (asOf < 0) at += nullBytes.copy(out, at)
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
    this.legHeads[side] ??= legHead(this.surface.sideFacts[side]!)
    this.legTails[side] ??= legTail(this.surface.sideFacts[side]!)
    const head = this.legHeads[side]!
    const tail = this.legTails[side]!
    const capacity = head.length + verdict.length + tail.length + legBytesMax
    const into = held !== undefined && held.length >= capacity ? held : Buffer.allocUnsafeSlow(capacity + 32)
    const view = new DataView(into.buffer, into.byteOffset, into.length)
    let at = head.copy(into, 0)
    at += verdict.copy(into, at)
    const vwap = table.vwap[side]!
    at = vwap < 0 ? at + nullBytes.copy(into, at) : writePrice(view, at, vwap)
    at += costKey.copy(into, at)
    at = moneyInto(into, view, at, table.cost[side]!)
    at += feeKey.copy(into, at)
    at = moneyInto(into, view, at, table.fee[side]!)
    at += filledKey.copy(into, at)
    const filled = table.filled[side]!
    at = writeSize(view, at, filled)
    at += (filled === this.surface.plan.contracts ? fullKey : partKey).copy(into, at)
    at += tail.copy(into, at)
    this.legs[side] = into
    this.legSize[side] = at
    this.legVersion[side] = version
    this.legsEncoded++
    return into
  }

  private money(at: number, micros: number): number {
    return moneyInto(this.out, this.view, at, micros)
  }

  private legVerdict(flags: number): Buffer {
    let words = this.legVerdicts.get(flags)
    if (words === undefined) {
      words = bytesOf(`${legExecutable(flags)},"reasons":${JSON.stringify(legReasons(flags))},"vwap":`)
      this.legVerdicts.set(flags, words)
    }
    return words
  }

  /** `executable` to the word before the time. At most one entry per combination of reasons that occurs. */
  private verdict(yesFlags: number, noFlags: number, verified: boolean, profits: boolean): Buffer {
    const key = ((yesFlags * 512 + noFlags) * 2 + (verified ? 1 : 0)) * 2 + (profits ? 1 : 0)
    let words = this.verdicts.get(key)
    if (words === undefined) {
      const executable = rowExecutable(yesFlags, noFlags, verified)
      const label = executable && profits ? arbitrageLabel : indicativeLabel
      const reasons = JSON.stringify(rowReasons(yesFlags, noFlags, verified))
      words = bytesOf(`${executable},"reasons":${reasons},"label":${JSON.stringify(label)},"asOf":`)
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

const fullKey = bytesOf(',"fullyFilled":true')
const partKey = bytesOf(',"fullyFilled":false')

function moneyInto(out: Buffer, view: DataView, at: number, micros: number): number {
  return micros < 0 ? at + nullBytes.copy(out, at) : writeDecimal(view, at, micros)
}

const legHead = ({ member, side }: SideFacts): Buffer =>
  bytesOf(
    `{"venue":${JSON.stringify(member.venue)},"canonicalMarketId":${JSON.stringify(member.canonicalMarketId)},` +
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
