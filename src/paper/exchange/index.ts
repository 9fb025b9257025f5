// The paper exchange: matches the working orders of paper accounts against live books.
export { PaperExchange, type PaperExchangeOptions, type WorkingMarket } from './exchange.ts'
