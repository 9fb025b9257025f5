// What an order is built from at each venue, for a model to read. The lanes' own schemas are too heavy to load for it; a test compares the two.
import type { ExecutionVenue } from '#schemas/venues'

const selector = 'asset? outcome? outcomeSide?'

/** Names of the fields; those with a question mark may be left out. */
export const orderFields: Readonly<Record<ExecutionVenue, string>> = {
  gemini: `${selector} isBuy price size timeInForce? postOnly? clientOrderId?`,
  hyperliquid: `${selector} isBuy price? size owner type? worstPrice? timeInForce? postOnly? clientOrderId?`,
  kalshi: `${selector} isBuy price size timeInForce? expiresAt? postOnly? reduceOnly? clientOrderId?`,
  limitless: `${selector} isBuy price? size owner ownerId feeRateBps type? worstPrice? timeInForce? postOnly? clientOrderId? selfTradePrevention?`,
  myriad: `${selector} isBuy price size owner expiresAt? timeInForce?`,
  novig: `${selector} isBuy price? size type? worstPrice? timeInForce?`,
  opinion: `${selector} isBuy price size owner safeAddress? signatureType? buildResult? postOnly?`,
  pascal: `${selector} isBuy price size owner signer postOnly? reduceOnly? clientOrderId?`,
  polymarket: `${selector} isBuy price? size owner funder? signatureType? expiresAt? metadata? builder? type? worstPrice? timeInForce? postOnly?`,
  polymarket_us: 'marketId outcomeId side type amount price? worstPrice? timeInForce? expiresAt? postOnly?',
  pred: `${selector} isBuy price size owner signer`,
  predictfun: `${selector} isBuy price size owner predictAccount? buildResult? expiresAt? postOnly? selfTradePrevention?`,
  predictstreet: `${selector} isBuy price size owner vault`,
  rain: `${selector} action? isBuy price? amount owner slippageBps? deadlineSecondsFromNow? postOnly?`,
  xo: `${selector} isBuy price size owner signatureType?`,
}

const own = Object.entries(orderFields)
  .map(([venue, fields]) => `${venue}: ${fields.replace(`${selector} `, '')}`)
  .join('; ')

export const orderFieldsWords = `What is traded, everywhere but at polymarket_us: either asset, an outcomeId, or outcome, a marketId, with outcomeSide YES or NO. isBuy is true or false; price is a probability; a market order has worstPrice instead of price, wherever type is taken; size is in contracts, amount in the venue’s unit; owner is the wallet that signs; polymarket_us has side buy or sell and type limit or market. Further fields by venue, ? optional: ${own}`
