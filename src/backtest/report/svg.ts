// Charts as SVG text: no script, no font, no link. Colors follow the page.

export interface Series {
  name: string
  /** Class of the style sheet. */
  style: string
  points: readonly (readonly [x: number, y: number])[]
  /** Drawn as steps: a value holds until the next point. */
  steps?: true
}

export interface ChartOptions {
  title: string
  series: readonly Series[]
  /** Label of a position on the horizontal axis. */
  labelX(x: number): string
  labelY(y: number): string
  /** Fixed ends of the axes. */
  rangeX?: readonly [number, number]
  rangeY?: readonly [number, number]
  dots?: true
}

const width = 880
const height = 240
const left = 70
const right = 12
const top = 12
const bottom = 26

/** Points drawn per series: more would not be visible. */
const pointsMax = 1_200

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

export function chart({ title, series, labelX, labelY, rangeX, rangeY, dots }: ChartOptions): string {
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return `<p class="none">${escapeHtml(title)}: nothing to show.</p>`
  const [x0, x1] = rangeX ?? rangeOf(all.map(([x]) => x))
  const [y0, y1] = rangeY ?? padded(rangeOf(all.map(([, y]) => y)))
  const atX = (x: number): number => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - right)
  const atY = (y: number): number => height - bottom - ((y - y0) / (y1 - y0 || 1)) * (height - top - bottom)
  const lines = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = y0 + share * (y1 - y0)
    const at = round(atY(y))
    return `<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${escapeHtml(labelY(y))}</text>`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = x0 + share * (x1 - x0)
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
    return `<text x="${round(atX(x))}" y="${height - 8}" text-anchor="${anchor}">${escapeHtml(labelX(x))}</text>`
  })
  const drawn = series.map(({ style, points, steps }) => {
    const thinned = thin(points)
    if (dots === true)
      return thinned
        .map(([x, y]) => `<circle class="${style}" cx="${round(atX(x))}" cy="${round(atY(y))}" r="4"/>`)
        .join('')
    return `<path class="${style}" d="${pathOf(thinned, atX, atY, steps === true)}"/>`
  })
  const legend =
    series.length < 2
      ? ''
      : `<p class="legend">${series.map(({ name, style }) => `<span class="key ${style}"></span>${escapeHtml(name)}`).join(' ')}</p>`
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${lines.join('')}${ticks.join('')}${drawn.join('')}</svg>${legend}</figure>`
}

function pathOf(
  points: readonly (readonly [number, number])[],
  atX: (x: number) => number,
  atY: (y: number) => number,
  steps: boolean,
): string {
  let path = ''
  for (const [i, [x, y]] of points.entries()) {
    const [px, py] = [round(atX(x)), round(atY(y))]
    path += i === 0 ? `M${px} ${py}` : steps ? `H${px}V${py}` : `L${px} ${py}`
  }
  return path
}

function thin<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= pointsMax) return points
  const every = Math.ceil(points.length / pointsMax)
  return points.filter((_, i) => i % every === 0 || i === points.length - 1)
}

function rangeOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

const padded = ([low, high]: [number, number]): [number, number] => {
  const pad = (high - low) * 0.05 || Math.max(1, Math.abs(high)) * 0.01
  return [low - pad, high + pad]
}

const round = (value: number): number => Math.round(value * 10) / 10
