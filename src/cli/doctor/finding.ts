// What one check of `crossbook doctor` found.

/** `fail`: it will not run like this. `warn`: it will, but with limitations. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
}
