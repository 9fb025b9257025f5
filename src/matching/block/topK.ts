/** The k-th largest of the first `count` values; their order is lost. */
export function largest(values: Int32Array, count: number, k: number): number {
  let [low, high] = [0, count - 1]
  const target = count - k
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let [left, right] = [low, high]
    while (left <= right) {
      while (values[left]! < pivot) left++
      while (values[right]! > pivot) right--
      if (left > right) break
      const held = values[left]!
      values[left++] = values[right]!
      values[right--] = held
    }
    if (target <= right) high = right
    else if (target >= left) low = left
    else break
  }
  return values[target]!
}
