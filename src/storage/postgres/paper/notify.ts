// Wakes the paper exchange, which polls anyway: a missed notification costs a moment.
export const paperChannel = 'crossbook_paper_orders'
