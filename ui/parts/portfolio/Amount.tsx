import { format, unknown } from '../../lib/format.ts'

interface Options {
  /** A decimal; null: unknown. */
  text: string | null
  /** Why it is unknown. */
  why?: string | null
  /** Shown after the amount. */
  unit?: string | null
  /** Before the amount: ≥ or ≤. */
  bound?: string
  /** With a sign, and in the colour of a gain or a loss. */
  isGain?: boolean
}

/** A rounded amount, with all its digits as its title. */
export function Amount({ text, why = null, unit = null, bound = '', isGain = false }: Options) {
  if (text === null) return <span title={why ?? 'not known'}>{unknown}</span>
  const shown = isGain ? format.gain(text) : format.decimal(text)
  const tone = isGain && text !== '0' ? (text.startsWith('-') ? 'bad' : 'good') : ''
  return (
    <span class={tone} title={unit === null ? text : `${text} ${unit}`}>
      {bound}
      {shown}
      {unit !== null && <small> {unit}</small>}
    </span>
  )
}

interface Sum {
  known: string
  unknown: number
}

/** A sum that may leave something out. If all of it may be missing, it is shown as unknown. */
export function PartialSum({ sum, why, isGain = false }: { sum: Sum; why: string | null; isGain?: boolean }) {
  if (sum.unknown === 0) return <Amount text={sum.known} isGain={isGain} />
  if (sum.known === '0') return <Amount text={null} why={why} />
  return (
    <>
      <Amount text={sum.known} isGain={isGain} />{' '}
      <small class="warn" title={why ?? 'not known'}>
        + {sum.unknown} unknown
      </small>
    </>
  )
}
