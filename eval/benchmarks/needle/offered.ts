import { findPhrase } from '../../../src/text/word-similarity.ts'
import { tokens } from '../../../src/text/words.ts'

// A question may offer what is right beside what is wrong: whoever answers with both has not answered it.
export interface Offered {
  right: readonly string[]
  others: readonly string[]
}

type Word = 'right' | 'other' | 'link' | 'else'

// What the words of an answer name, clause by clause. Names that are only listed beside each other make no choice: of "Oslo or Rome? Oslo."
// the last one counts, and of "Oslo and Rome." none.
export function chosenWords(text: string, offered: Offered): Word[] {
  return splitClauses(text).flatMap(clause => {
    const words = classifyWords(clause, offered)
    return refuses(clause)
      ? words
      : splitRuns(words).flatMap(run => (isChoice(run) ? run.map(() => 'else' as const) : run))
  })
}

// The clauses that name one of the others, without what is right and without saying that it is not meant.
export function clausesFor(text: string, offered: Offered): string[] {
  return splitClauses(text).filter(clause => {
    const words = classifyWords(clause, offered)
    return words.includes('other') && !words.includes('right') && !refuses(clause)
  })
}

function splitClauses(text: string): string[] {
  return text.split(/(?<=[.!?]["'”’)]?)\s+|\n+|[;:–—]\s*/).filter(clause => clause.trim() !== '')
}

const links = new Set(['and', 'or', 'also', 'as', 'well', 'plus', 'either', 'maybe', 'perhaps'])

function classifyWords(clause: string, { right, others }: Offered): Word[] {
  const line = tokens(clause)
  const words = line.map(({ text }): Word => (links.has(text) ? 'link' : 'else'))
  const name = (names: readonly string[], as: Word) => {
    for (const offeredName of names)
      for (const { from, to } of findPhrase(tokens(offeredName), line, 0.85)) words.fill(as, from, to + 1)
  }
  name(others, 'other')
  name(right, 'right')
  return words
}

// Names that stand beside each other or are linked are one run; every other word is a run of its own.
function splitRuns(words: readonly Word[]): Word[][] {
  const runs: Word[][] = []
  for (const [at, word] of words.entries()) {
    const goesOn = word !== 'else' && at > 0 && words[at - 1] !== 'else'
    if (goesOn) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

function isChoice(run: readonly Word[]): boolean {
  return run.includes('right') && run.includes('other')
}

const refusals = new Set([
  ...['not', 'no', 'nor', 'neither', 'none', 'never', 'only', 'without', 'cannot', 'unlike', 'except'],
  ...['less', 'fewer', 'rather', 'instead', 'than', 'but'],
  ...['then', 'later', 'after', 'afterwards', 'second', 'next', 'follows', 'before'],
])

// Not the other one, less of it, or later.
function refuses(clause: string): boolean {
  return /n['’]t\b/i.test(clause) || tokens(clause).some(({ text }) => refusals.has(text))
}
