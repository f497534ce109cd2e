// A question with its choices as harnesses write them: lines "A. red", "(B) blue" or "C: green", one after another from A on.
interface LetteredQuestion {
  text: string
  options: string[]
}

const choiceLine = /^\s*\(?([A-Z])[.):]\s*(\S.*)$/ // no two repetitions that can share blanks: a line may have a million
const aboutLetters = /\b(letters?|options?|multiple[- ]choice)\b/i // what a harness says of the form of the answer

// The choices that a text holds, and the question without them; undefined if it holds none.
export function readLetteredOptions(text: string): LetteredQuestion | undefined {
  const lines = text.split(/\r?\n/)
  const first = lines.findIndex((line, at) => readLetter(line) === 'A' && readLetter(lines[at + 1] ?? '') === 'B')
  if (first < 0) return undefined
  const options: string[] = []
  while (readLetter(lines[first + options.length] ?? '') === optionLetter(options.length))
    options.push(choiceLine.exec(lines[first + options.length] ?? '')?.[2]?.trimEnd() ?? '')
  const around = [...lines.slice(0, first), ...lines.slice(first + options.length)].filter(line => line.trim() !== '')
  const questionLines = around.filter(line => !aboutLetters.test(line))
  return { text: (questionLines.length > 0 ? questionLines : around).join('\n').trim(), options }
}

export function optionLetter(choice: number): string {
  return String.fromCharCode(65 + choice)
}

function readLetter(line: string): string | undefined {
  return choiceLine.exec(line)?.[1]
}
