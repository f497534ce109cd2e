// How many words of a transcript are wrong, of those that were said: the edit distance of words without case and marks.
export function wordErrors(said: string, heard: string): { errors: number; words: number } {
  const [truth, written] = [wordsOf(said), wordsOf(heard)]
  let row = Array.from({ length: written.length + 1 }, (_, i) => i)
  for (const [i, word] of truth.entries()) {
    const next = [i + 1]
    for (const [j, other] of written.entries())
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return { errors: row.at(-1)!, words: truth.length }
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}']*/gu) ?? []
  )
}
