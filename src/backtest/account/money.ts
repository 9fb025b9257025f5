// Exact money of a backtest: dollars × 10¹², the unit in which a price in micros times a size in millionths is whole.
import { fromUnits, toUnits } from '#core/decimal'

export const moneyScale = 12
/** Of one micro-dollar. */
const perMicro = 1_000_000n

export const moneyOf = (text: string): bigint => toUnits(text, moneyScale)
export const moneyText = (money: bigint): string => fromUnits(money, moneyScale)
export const notional = (priceMicros: number, sizeUnits: number): bigint => BigInt(priceMicros) * BigInt(sizeUnits)
export const ofMicros = (micros: number): bigint => BigInt(Math.round(micros)) * perMicro
/** For charts and tables of the report. */
export const dollars = (money: bigint): number => Number(money) / 1e12
