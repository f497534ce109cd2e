// What a list is worth beside the others. A nearest picture exists whether it fits or not, so pictures come a little later.
export const listWeights = { words: 1, meaning: 1, picture: 0.85 }

// The list of words counts for more the more of the query its best row holds.
export function wordsWeight(covered: number): number {
  return listWeights.words * (0.3 + 0.7 * covered)
}

// Rows that hold one common word of many only push other lists down.
export function withoutTail<Item extends { score: number }>(found: Item[]): Item[] {
  return found.filter(hit => hit.score >= found[0].score * 0.2)
}
