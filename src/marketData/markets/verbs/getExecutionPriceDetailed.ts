// Like getExecutionPrice, with what could be filled.
import { defineVerb } from '../defineVerb.ts'
import { ExecutionPrice, executionPrice } from '../executionPrice.ts'
import { ExecutionPriceQuery, executionPriceArgs } from './getExecutionPrice.ts'
import { emulated } from './shapes.ts'

export const getExecutionPriceDetailed = defineVerb({
  name: 'getExecutionPriceDetailed',
  summary: 'Price, filled amount and reason of an amount against a given book; price is null unless it fills whole',
  args: executionPriceArgs,
  query: ExecutionPriceQuery,
  data: ExecutionPrice,
  router: 'pure',
  handle: ({ query: { orderBook, side, amount } }, markets) =>
    emulated(markets, executionPrice(orderBook, side, amount)),
})
