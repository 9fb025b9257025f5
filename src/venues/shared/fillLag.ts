/**
 * A tape of fills may lag behind the state of an order. So long it is waited for; then the venue's word for the end is believed without
 * them, and fills told later are appended to the order that has ended.
 */
export const fillLagMs = 10 * 60_000
