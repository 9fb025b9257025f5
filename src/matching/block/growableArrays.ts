/** Copies an array's content into a larger one. */
export function copied<T extends { set(values: ArrayLike<number>): void }>(larger: T, values: ArrayLike<number>): T {
  larger.set(values)
  return larger
}
