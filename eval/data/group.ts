// Items by key, in order of first appearance.
export function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = key(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}

// A row for each group of the items, in order of first appearance.
export function groupRows<Item, Row>(
  items: readonly Item[],
  key: (item: Item) => string,
  row: (of: Item[]) => Row,
): Record<string, Row> {
  return Object.fromEntries([...groupBy(items, key)].map(([name, of]) => [name, row(of)]))
}
