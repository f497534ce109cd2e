// The value below which that share of the others lies; 0 of none.
export function lowerQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

export function lowerQuantileBy<Item>(items: readonly Item[], share: number, measure: (item: Item) => number): number {
  return lowerQuantile(items.map(measure), share)
}
