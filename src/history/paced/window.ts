// The time range of a replay.

export interface Window {
  sinceMs: number
  untilMs: number
}
