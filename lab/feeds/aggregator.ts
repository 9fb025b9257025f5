// A Chainlink price feed behind its proxy: rounds of the current phase, newest last, some of which were never recorded or never answered.
import { encodeFunctionResult, type Hex, parseAbi, toFunctionSelector } from 'viem'

const abi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function getRoundData(uint80 roundId) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
])
/** By name. */
const selectors = Object.fromEntries(abi.map((each) => [each.name, toFunctionSelector(each)])) as Readonly<
  Record<(typeof abi)[number]['name'], Hex>
>
const selectorEnd = 10

export interface LabRound {
  answer: bigint
  /** Epoch s; both 0: never started. */
  startedAt: number
  updatedAt: number
  /** The aggregator's round that answered it; by default its own. */
  answeredIn?: number
}

/** Older ones revert. */
const roundsKept = 2_000

export class LabAggregator {
  readonly address: string
  description: string
  decimals: number
  phase: number
  /** By the aggregator's own number; missing ones revert. */
  readonly rounds = new Map<number, LabRound>()
  newest = 0

  constructor({
    address,
    description,
    decimals = 8,
    phase = 5,
  }: { address: string; description: string; decimals?: number; phase?: number }) {
    this.address = address.toLowerCase()
    this.description = description
    this.decimals = decimals
    this.phase = phase
  }

  write(number: number, round: LabRound | null): void {
    if (round === null) this.rounds.delete(number)
    else this.rounds.set(number, round)
    this.newest = Math.max(this.newest, number)
  }

  /** Adds a round. `at`: epoch s. */
  answer(price: number, at: number): void {
    this.write(this.newest + 1, { answer: this.scaled(price), startedAt: at, updatedAt: at })
    this.rounds.delete(this.newest - roundsKept)
  }

  scaled(price: number): bigint {
    return BigInt(Math.round(price * 10 ** this.decimals))
  }

  /** The newest answer in dollars; null before the first. */
  get price(): number | null {
    const round = this.rounds.get(this.newest)
    return round === undefined ? null : Number(round.answer) / 10 ** this.decimals
  }

  idOf(number: number): bigint {
    return (BigInt(this.phase) << 64n) + BigInt(number)
  }

  /** Null: it reverts. */
  read(data: Hex): Hex | null {
    switch (data.slice(0, selectorEnd)) {
      case selectors.decimals:
        return encodeFunctionResult({ abi, functionName: 'decimals', result: this.decimals })
      case selectors.description:
        return encodeFunctionResult({ abi, functionName: 'description', result: this.description })
      case selectors.latestRoundData:
        return this.roundData(this.newest)
      case selectors.getRoundData: {
        const id = BigInt(`0x${data.slice(selectorEnd)}`)
        return id >> 64n === BigInt(this.phase) ? this.roundData(Number(id & ((1n << 64n) - 1n))) : null
      }
    }
    return null
  }

  private roundData(number: number): Hex | null {
    const round = this.rounds.get(number)
    if (round === undefined) return null
    const { answer, startedAt, updatedAt, answeredIn = number } = round
    const result = [this.idOf(number), answer, BigInt(startedAt), BigInt(updatedAt), this.idOf(answeredIn)] as const
    return encodeFunctionResult({ abi, functionName: 'getRoundData', result })
  }
}
