// Time cut into equal buckets, aligned to the epoch (UTC). A bucket is named by its start.

/** First bucket that starts at or after `sinceMs`, and the first moment after the last bucket that starts by `untilMs`. */
export function bucketWindow(sinceMs: number, untilMs: number, stepMs: number): { fromMs: number; beforeMs: number } {
  return { fromMs: Math.ceil(sinceMs / stepMs) * stepMs, beforeMs: (Math.floor(untilMs / stepMs) + 1) * stepMs }
}
