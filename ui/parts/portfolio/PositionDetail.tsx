import type { PortfolioPosition } from '#schemas/portfolio'
import { format, unknown } from '../../lib/format.ts'
import {
  averageCostWhy,
  type Mark,
  marks,
  markWhy,
  profitWhy,
  realizedWhy,
} from '../../lib/portfolio/unknownAmounts.ts'
import { hashOf } from '../../lib/router.ts'
import { Amount } from './Amount.tsx'

const markWords: Readonly<Record<Mark, string>> = {
  mid: 'middle of the book',
  bid: 'sold as a whole into the book',
  last: 'last price',
}

interface Options {
  position: PortfolioPosition
  /** It is no longer in the list. */
  isGone: boolean
  unavailable: readonly string[]
}

/** One position: its marks, its cost by both methods, its payout, and why something is unknown. */
export function PositionDetail({ position, isGone, unavailable }: Options) {
  const { venue, marketId, market, label, outcomeId, quantity, currency, marketStatus, settlement } = position
  return (
    <>
      <h2>
        {label ?? outcomeId} in <a href={hashOf('market', venue, marketId)}>{market ?? marketId}</a>
      </h2>
      <p>
        <span class="badge">{venue}</span> <Amount text={quantity} /> shares
        {marketStatus !== null && <>, the market is {marketStatus}</>}.{' '}
        {isGone && <span class="badge stale">no longer listed; last known values</span>}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Marks">
        <table>
          <thead>
            <tr>
              <th scope="col">Mark</th>
              <th scope="col" class="num">
                Price
              </th>
              <th scope="col" class="num">
                Value
              </th>
              <th scope="col" class="num">
                Unrealised PnL
              </th>
              <th scope="col">If unknown, why</th>
            </tr>
          </thead>
          <tbody>
            {marks.map((mark) => (
              <MarkRow key={mark} position={position} mark={mark} unavailable={unavailable} />
            ))}
          </tbody>
        </table>
      </div>
      {settlement !== null && (
        <p>
          Resolved{settlement.at !== null && ` ${format.moment(settlement.at)}`}: a share pays{' '}
          <Amount text={settlement.value} unit={currency} />. Paid <Amount text={settlement.paid} unit={currency} />;{' '}
          {settlement.unclaimed === '0' ? (
            'nothing is left to collect.'
          ) : (
            <>
              <Amount text={settlement.unclaimed} /> shares are not collected, worth{' '}
              <Amount text={position.value.settlement} unit={currency} why="the payout is not known" />.
            </>
          )}
        </p>
      )}
      <dl class="facts">
        {settlement === null && (
          <>
            <dt>Average cost</dt>
            <dd>
              <Amount text={position.averageCost} why={averageCostWhy(position)} />
            </dd>
            <dt>Cost of the open shares</dt>
            <dd>
              <Amount text={position.costBasis} unit={currency} why="a cost is not known" /> at average cost,{' '}
              <Amount text={position.costBasisFifo} unit={currency} why="a cost is not known" /> first in, first out
            </dd>
          </>
        )}
        <dt>Realised PnL</dt>
        <dd>
          <Amount text={position.realizedPnl} unit={currency} why={realizedWhy} isGain /> at average cost,{' '}
          <Amount text={position.realizedPnlFifo} unit={currency} why={realizedWhy} isGain /> first in, first out
        </dd>
        <dt>Fees</dt>
        <dd>
          <Amount text={position.fees} unit={currency} why="the venue did not report a fee" />
        </dd>
        <dt>Bought, sold</dt>
        <dd>
          <Amount text={position.bought} />, <Amount text={position.sold} />
        </dd>
        <dt>Currency</dt>
        <dd>{currency ?? unknown}</dd>
        <dt>Resolution date</dt>
        <dd>{format.moment(position.resolutionDate)}</dd>
        <dt>Opened, changed</dt>
        <dd>
          {format.moment(position.openedAt)}, {format.moment(position.updatedAt)}
        </dd>
        <dt>Outcome id</dt>
        <dd>{outcomeId}</dd>
      </dl>
    </>
  )
}

interface MarkOptions {
  position: PortfolioPosition
  mark: Mark
  unavailable: readonly string[]
}

function MarkRow({ position, mark, unavailable }: MarkOptions) {
  const { value, currency, unrealizedPnl } = position
  const why = unrealizedPnl[mark] === null ? profitWhy(position, mark, unavailable) : null
  return (
    <tr>
      <th scope="row">{markWords[mark]}</th>
      <td class="num">
        <Amount text={position.marks[mark]} why={markWhy(position, mark, unavailable)} />
      </td>
      <td class="num">
        <Amount text={value[mark]} unit={currency} why={markWhy(position, mark, unavailable)} />
      </td>
      <td class="num">
        <Amount text={unrealizedPnl[mark]} unit={currency} why={why} isGain />
      </td>
      <td class="reason">{why ?? 'all known'}</td>
    </tr>
  )
}
