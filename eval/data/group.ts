import { groupBy } from '../../src/core/basics/group-by.ts'

// A row for each group of the items, in order of first appearance.
export function groupRows<Item, Row>(
  items: readonly Item[],
  key: (item: Item) => string,
  row: (of: Item[]) => Row,
): Record<string, Row> {
  return Object.fromEntries([...groupBy(items, key)].map(([name, of]) => [name, row(of)]))
}
