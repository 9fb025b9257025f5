// What an order is built from at each venue, for a model to read. The lanes' own schemas are too heavy to load for it; a test compares the two.
import type { ExecutionVenue } from '#schemas/venues'

const selector = 'asset? outcome? outcomeSide?'

/** Names of the fields; those with a question mark may be left out. */
export const orderFields: Readonly<Record<ExecutionVenue, string>> = {
  gemini: `${selector} isBuy price size`,
  hyperliquid: `${selector} isBuy price size owner`,
  kalshi: `${selector} isBuy price size timeInForce? reduceOnly?`,
  limitless: `${selector} isBuy price size owner ownerId feeRateBps`,
  myriad: `${selector} isBuy price size owner expiresAt?`,
  novig: `${selector} isBuy price size`,
  opinion: `${selector} isBuy price size owner safeAddress? signatureType? buildResult?`,
  pascal: `${selector} isBuy price size owner signer`,
  polymarket: `${selector} isBuy price size owner funder? signatureType? expiresAt? metadata? builder?`,
  polymarket_us: 'marketId outcomeId side type amount price',
  pred: `${selector} isBuy price size owner signer`,
  predictfun: `${selector} isBuy price size owner predictAccount? buildResult?`,
  predictstreet: `${selector} isBuy price size owner vault`,
  rain: `${selector} action? isBuy price? amount owner slippageBps? deadlineSecondsFromNow?`,
  xo: `${selector} isBuy price size owner signatureType?`,
}

const own = Object.entries(orderFields)
  .map(([venue, fields]) => `${venue}: ${fields.replace(`${selector} `, '')}`)
  .join('; ')

export const orderFieldsWords = `What is traded, everywhere but at polymarket_us: either asset, an outcomeId, or outcome, a marketId, with outcomeSide YES or NO. isBuy is true or false; price is a probability; size is in contracts, amount in the venue’s unit; owner is the wallet that signs; polymarket_us has side buy or sell and type limit or market. Further fields by venue, ? optional: ${own}`
