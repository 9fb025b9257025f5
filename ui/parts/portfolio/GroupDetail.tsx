// One group of related markets: its outcomes, its positions, what it does not cover, and what depends on uncertain relations.
import type {
  ExposureGroup,
  ExposureOutcome,
  ExposurePosition,
  ExposureRelation,
  MinorRelations,
} from '#schemas/exposure'
import { format } from '../../lib/format.ts'
import {
  atLeast,
  atMost,
  boundWords,
  costWhy,
  groupTitle,
  notCoveredWords,
  settlementWhy,
} from '../../lib/portfolio/exposureWords.ts'
import { positionKey } from '../../lib/portfolio/portfolioState.ts'
import { hashOf } from '../../lib/router.ts'
import { Amount } from './Amount.tsx'

export function GroupDetail({ group }: { group: ExposureGroup }) {
  const { venues, currency, bounds, outcomes, hasAllOutcomes, positions, relations, relationCount, notCovered } = group
  const nameOf = namesOf(positions)
  return (
    <>
      <h2>{groupTitle(group)}</h2>
      <p>{venues.join(', ')}</p>
      <Figures group={group} />
      {bounds.length > 0 && <p>These are bounds: {bounds.map((bound) => boundWords[bound]).join('; ')}.</p>}
      <details open>
        <summary>
          Outcomes ({format.count(outcomes.length)}
          {!hasAllOutcomes && ', only the worst and the best that were found'})
        </summary>
        <Outcomes outcomes={outcomes} nameOf={nameOf} />
      </details>
      <details open>
        <summary>Positions ({format.count(positions.length)})</summary>
        <Positions positions={positions} currency={currency} />
      </details>
      {relationCount > 0 && (
        <details>
          <summary>Relations that connect its markets ({format.count(relationCount)})</summary>
          <Relations relations={relations} count={relationCount} />
        </details>
      )}
      <h3>Not covered</h3>
      {notCovered.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <ul class="notes">
          {notCovered.map(({ reason, markets }) => (
            <li key={reason} title={markets.join(', ')}>
              {notCoveredWords[reason]} <small>({format.count(markets.length)} of its markets)</small>
            </li>
          ))}
        </ul>
      )}
      <h3>Depends on uncertain relations</h3>
      {group.minorRelations === null ? (
        <p>Nothing.</p>
      ) : (
        <Uncertain minor={group.minorRelations} currency={currency} unknownCosts={group.unknownCosts} />
      )}
    </>
  )
}

function Figures({ group }: { group: ExposureGroup }) {
  const { currency, worstCase, bestCase, lockedProfit, bestProfit, capitalUsed, unknownCosts, share } = group
  const why = costWhy(unknownCosts)
  return (
    <dl class="facts">
      <dt>Worst case</dt>
      <dd>
        <Amount text={worstCase} unit={currency} bound={atLeast(group)} />
      </dd>
      <dt>Best case</dt>
      <dd>
        <Amount text={bestCase} unit={currency} bound={atMost(group)} />
      </dd>
      <dt>Locked profit</dt>
      <dd>
        <Amount text={lockedProfit} unit={currency} bound={atLeast(group)} why={why} isGain />
      </dd>
      <dt>Best profit</dt>
      <dd>
        <Amount text={bestProfit} unit={currency} bound={atMost(group)} why={why} isGain />
      </dd>
      <dt>Capital used</dt>
      <dd>
        <Amount text={capitalUsed} unit={currency} why={why} />
        {share !== null && ` (${format.percent(share)} of all in this currency)`}
        {unknownCosts > 0 && <small> {why}</small>}
      </dd>
      <dt>Settles</dt>
      <dd>
        {group.settlesAt === null || group.daysToSettlement === null ? (
          <Amount text={null} why={settlementWhy} />
        ) : (
          `${format.moment(group.settlesAt)}, in ${format.count(group.daysToSettlement)} d`
        )}
      </dd>
    </dl>
  )
}

type NameOf = (held: ExposureOutcome['pays'][number]) => string

function namesOf(positions: readonly ExposurePosition[]): NameOf {
  const names = new Map(
    positions.map((held) => [positionKey(held), `${held.label ?? held.outcomeId} at ${held.venue}`]),
  )
  return (held) => names.get(positionKey(held)) ?? `${held.outcomeId} at ${held.venue}`
}

function Outcomes({ outcomes, nameOf }: { outcomes: readonly ExposureOutcome[]; nameOf: NameOf }) {
  return (
    <div class="list" tabIndex={0} role="region" aria-label="Outcomes">
      <table>
        <thead>
          <tr>
            <th scope="col">Comes true of what is held</th>
            <th scope="col" class="num">
              Value
            </th>
            <th scope="col" class="num">
              Profit
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ payoff, profit, pays }) => (
            <tr key={JSON.stringify(pays)}>
              <td class="reason">{pays.length === 0 ? 'none' : pays.map(nameOf).join(', ')}</td>
              <td class="num">
                <Amount text={payoff} />
              </td>
              <td class="num">
                <Amount text={profit} why="a cost is not known" isGain />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Positions({ positions, currency }: { positions: readonly ExposurePosition[]; currency: string | null }) {
  const notFound = 'the outcome was not found in full'
  return (
    <div class="list" tabIndex={0} role="region" aria-label="Positions of the group">
      <table>
        <thead>
          <tr>
            <th scope="col">Market</th>
            <th scope="col">Outcome</th>
            <th scope="col">Venue</th>
            <th scope="col" class="num">
              Quantity
            </th>
            <th scope="col" class="num">
              Cost
            </th>
            <th scope="col" class="num">
              In the worst case
            </th>
            <th scope="col" class="num">
              In the best case
            </th>
          </tr>
        </thead>
        <tbody>
          {positions.map((held) => (
            <tr key={positionKey(held)}>
              <td class="reason">
                <a href={hashOf('market', held.venue, held.marketId)}>{held.market ?? held.marketId}</a>
                {held.payout !== null && (
                  <small>
                    {' '}
                    resolved, pays <Amount text={held.payout} /> a share
                  </small>
                )}
              </td>
              <td class="cut" title={held.outcomeId}>
                {held.label ?? held.outcomeId}
              </td>
              <td>{held.venue}</td>
              <td class="num">
                <Amount text={held.quantity} />
              </td>
              <td class="num">
                <Amount text={held.costBasis} unit={currency} why="a cost is not known" />
              </td>
              <td class="num">
                <Amount text={held.inWorstCase} why={notFound} />
              </td>
              <td class="num">
                <Amount text={held.inBestCase} why={notFound} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Relations({ relations, count }: { relations: readonly ExposureRelation[]; count: number }) {
  return (
    <ul class="notes">
      {relations.map(({ id, kind, band, reason }) => (
        <li key={id}>
          {kind.replaceAll('_', ' ')} ({band}): {id}
          {reason !== null && <small>: {reason}</small>}
        </li>
      ))}
      {count > relations.length && <li>{format.count(count - relations.length)} more</li>}
    </ul>
  )
}

interface UncertainOptions {
  minor: MinorRelations
  currency: string | null
  unknownCosts: number
}

function Uncertain({ minor, currency, unknownCosts }: UncertainOptions) {
  const { relations, count, groups, worstCase, lockedProfit, bounds } = minor
  const none = 'the relations contradict each other'
  return (
    <>
      <p>
        If {count === 1 ? 'one relation that is' : `${format.count(count)} relations that are`} probable and not certain
        hold{count === 1 && 's'},{' '}
        {groups.length === 0 ? 'this group has' : `this group and ${groups.join(', ')} together have`} a worst case of{' '}
        <Amount text={worstCase} unit={currency} bound={atLeast(minor)} why={none} /> and a locked profit of{' '}
        <Amount
          text={lockedProfit}
          unit={currency}
          bound={atLeast(minor)}
          why={worstCase === null ? none : unknownCosts > 0 ? costWhy(unknownCosts) : 'a cost is not known'}
          isGain
        />
        .
      </p>
      {bounds.length > 0 && <p>These are bounds: {bounds.map((bound) => boundWords[bound]).join('; ')}.</p>}
      <Relations relations={relations} count={count} />
    </>
  )
}
