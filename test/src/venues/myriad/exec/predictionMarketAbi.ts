// From polkamarkets-js 3.4.6 (ISC), abis/PredictionMarketV3_4.json: the functions for trades with a pool and for claims.
export const predictionMarketV3_4 = [
  {
    type: 'function',
    name: 'buy',
    inputs: [
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'minOutcomeSharesToBuy',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'value',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'calcBuyAmount',
    inputs: [
      {
        name: 'amount',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [
      {
        name: '',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'calcSellAmount',
    inputs: [
      {
        name: 'amount',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [
      {
        name: '',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'claimVoidedOutcomeShares',
    inputs: [
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'claimWinnings',
    inputs: [
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'sell',
    inputs: [
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'value',
        type: 'uint256',
        internalType: 'uint256',
      },
      {
        name: 'maxOutcomeSharesToSell',
        type: 'uint256',
        internalType: 'uint256',
      },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'event',
    name: 'MarketActionTx',
    inputs: [
      {
        name: 'user',
        type: 'address',
        internalType: 'address',
        indexed: true,
      },
      {
        name: 'action',
        type: 'uint8',
        internalType: 'enum PredictionMarketV3_4.MarketAction',
        indexed: true,
      },
      {
        name: 'marketId',
        type: 'uint256',
        internalType: 'uint256',
        indexed: true,
      },
      {
        name: 'outcomeId',
        type: 'uint256',
        internalType: 'uint256',
        indexed: false,
      },
      {
        name: 'shares',
        type: 'uint256',
        internalType: 'uint256',
        indexed: false,
      },
      {
        name: 'value',
        type: 'uint256',
        internalType: 'uint256',
        indexed: false,
      },
      {
        name: 'timestamp',
        type: 'uint256',
        internalType: 'uint256',
        indexed: false,
      },
    ],
    anonymous: false,
  },
] as const
