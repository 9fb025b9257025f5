// Exchange shards: 0 is the default, 1 holds combos, 2 crypto, 3 tennis and baseball. https://docs.kalshi.com/getting_started/exchange_sharding

export function shardOf(ticker: string): number {
  if (/^KX(BTC|ETH|SOL|XRP|DOGE)/.test(ticker)) return 2
  return /^KX(MLB|ATP|WTA)/.test(ticker) ? 3 : 0
}
