// Candles and lines, drawn by TradingView's lightweight-charts in the page's own colours. Its logo would need an inline style, which the
// page's policy forbids: the attribution is text below the chart.
import {
  CandlestickSeries,
  type ChartOptions,
  ColorType,
  createChart,
  type DeepPartial,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import type { Candle } from '#schemas/marketData'
import { theme } from '../lib/hooks.ts'
import type { LinePoint } from '../lib/intervals.ts'

/** `at`: epoch ms, ascending. */
export interface Point {
  at: number
  value: number
}

export type Series =
  | { kind: 'candles'; candles: readonly Candle[] }
  | { kind: 'line'; points: readonly LinePoint[]; isWindow?: boolean }

interface Drawn {
  chart: IChartApi
  series: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>
}

export function Chart({ label, data, isLow = false }: { label: string; data: Series; isLow?: boolean }) {
  const holder = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn | null>(null)
  const isDark = theme() === 'dark'
  const { kind } = data

  useEffect(() => {
    const chart = createChart(holder.current!, { autoSize: true, ...coloursOf(holder.current!) })
    const series =
      kind === 'candles'
        ? chart.addSeries(CandlestickSeries, { priceFormat: { type: 'price', precision: 3, minMove: 0.001 } })
        : chart.addSeries(LineSeries, { lineWidth: 2 })
    drawn.current = { chart, series }
    return () => {
      drawn.current = null
      chart.remove()
    }
  }, [kind])

  // Colours are read from the page when the theme changes
  useEffect(() => {
    drawn.current?.chart.applyOptions(coloursOf(holder.current!))
    if (drawn.current?.series.seriesType() === 'Candlestick') {
      const [up, down] = [colour(holder.current!, '--good'), colour(holder.current!, '--bad')]
      const both = { upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false }
      ;(drawn.current.series as ISeriesApi<'Candlestick'>).applyOptions(both)
    } else
      (drawn.current?.series as ISeriesApi<'Line'> | undefined)?.applyOptions({
        color: colour(holder.current!, '--accent'),
      })
  }, [isDark, kind])

  useEffect(() => {
    if (drawn.current === null) return
    if (data.kind === 'candles')
      (drawn.current.series as ISeriesApi<'Candlestick'>).setData(
        data.candles.map(({ timestamp, open, high, low, close }) => ({
          time: seconds(timestamp),
          open,
          high,
          low,
          close,
        })),
      )
    else
      (drawn.current.series as ISeriesApi<'Line'>).setData(
        data.points.map(({ at, value }) => (value === null ? { time: seconds(at) } : { time: seconds(at), value })),
      )
    // A fixed time window is shown completely; a growing chart is followed.
    if (data.kind === 'line' && data.isWindow === true) drawn.current.chart.timeScale().fitContent()
  }, [data])

  return (
    <figure class={`figure ${isLow ? 'low' : ''}`}>
      <div class="chart" ref={holder} role="img" aria-label={label} />
      <figcaption>
        <small>
          Times in UTC. Charts by <a href="https://www.tradingview.com/">TradingView</a>
        </small>
      </figcaption>
    </figure>
  )
}

const seconds = (ms: number): UTCTimestamp => (ms / 1_000) as UTCTimestamp

/** The style sheet's colours depend on the theme: a canvas needs them resolved. */
function colour(element: HTMLElement, name: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function coloursOf(element: HTMLElement): DeepPartial<ChartOptions> {
  const line = { color: colour(element, '--line') }
  const border = { borderColor: line.color }
  return {
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: colour(element, '--card') },
      textColor: colour(element, '--quiet'),
    },
    grid: { vertLines: line, horzLines: line },
    rightPriceScale: border,
    timeScale: { ...border, timeVisible: true, secondsVisible: false },
  }
}
