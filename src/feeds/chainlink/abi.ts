// The faces of a price feed's proxy and of a sequencer's uptime feed: https://docs.chain.link/data-feeds/api-reference
import { parseAbi } from 'viem'

export const aggregatorAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function getRoundData(uint80 roundId) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
])

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
export type RoundData = readonly [bigint, bigint, bigint, bigint, bigint]
