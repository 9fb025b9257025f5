// How a long search shows that it is still working.

/**
 * Called after each piece of work that takes at most some milliseconds, so that a watchdog can distinguish a long search from one that
 * hangs.
 */
export type OnProgress = () => void

export const ignoreProgress: OnProgress = () => undefined
