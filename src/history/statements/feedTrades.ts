// Which coverage events mean that trades come with the live feed. Where its books stream without trades, or are polled, trades are read
// separately and coverage reports that (`tradesTaped`).
import { booksOnlyFeeds } from '#schemas/venues'

const booksOnly = booksOnlyFeeds.map((slug) => `'${slug}'`).join(', ')

/** For statements with the parameter `venue`. `mechanism`: an expression. */
export const feedsTrades = (mechanism: string): string =>
  `(startsWith(${mechanism}, 'ws-') AND {venue:String} NOT IN (${booksOnly}))`
