// Lanes of paper accounts.
export { refusingClient, refusingSender } from './noRequests.ts'
export { readingPaperFills, storedPaperFill } from './paperFill.ts'
export { createPaperLane, notFound, notOpen } from './paperLane.ts'
export { payoutsOf } from './resolved.ts'
