// The holdings of several accounts at one venue as one: our journal does not keep apart which of an owner's wallets holds what.
import { addDecimals, divideDecimals, multiplyDecimals } from '#core/decimal'
import type { HeldBalance, HeldPosition, Holdings } from '#venues/holdings'

/** Digits of an average. */
const places = 9

export function mergeHoldings([first, ...more]: readonly [Holdings, ...Holdings[]]): Holdings {
  return more.reduce(
    (all, next) => ({
      positions: [...positionsOf([...all.positions, ...next.positions]).values()],
      isComplete: all.isComplete && next.isComplete,
      balances: [...balancesOf([...all.balances, ...next.balances]).values()],
      ...(all.openOrders !== undefined &&
        next.openOrders !== undefined && {
          openOrders: {
            orders: [...all.openOrders.orders, ...next.openOrders.orders],
            isComplete: all.openOrders.isComplete && next.openOrders.isComplete,
          },
        }),
      ...(all.recentFills !== undefined &&
        next.recentFills !== undefined && { recentFills: [...all.recentFills, ...next.recentFills] }),
      asOf: Math.min(all.asOf, next.asOf),
    }),
    first,
  )
}

function positionsOf(rows: readonly HeldPosition[]): Map<string, HeldPosition> {
  const merged = new Map<string, HeldPosition>()
  for (const row of rows) {
    const key = JSON.stringify([row.marketId, row.outcomeId])
    const known = merged.get(key)
    merged.set(key, known === undefined ? row : sumOf(known, row))
  }
  return merged
}

function sumOf(a: HeldPosition, b: HeldPosition): HeldPosition {
  const quantity = addDecimals(a.quantity, b.quantity)
  const isKnown = a.averageCost !== null && b.averageCost !== null && quantity !== '0'
  const averageCost = isKnown
    ? divideDecimals(
        addDecimals(multiplyDecimals(a.quantity, a.averageCost!), multiplyDecimals(b.quantity, b.averageCost!)),
        quantity,
        places,
        'halfEven',
      )
    : null
  return { ...a, quantity, averageCost }
}

function balancesOf(rows: readonly HeldBalance[]): Map<string, HeldBalance> {
  const merged = new Map<string, HeldBalance>()
  for (const row of rows) {
    const known = merged.get(String(row.currency))
    merged.set(
      String(row.currency),
      known === undefined
        ? row
        : {
            ...row,
            total: addKnown(known.total, row.total),
            available: addKnown(known.available, row.available),
          },
    )
  }
  return merged
}

const addKnown = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : addDecimals(a, b)
