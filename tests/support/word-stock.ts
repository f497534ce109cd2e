// Lectures made of words that look like words: what each is about is said nowhere else, and the others are as unevenly frequent as the
// telling words of speech.
export function lecturesOf(count: number, seed: number): Record<string, string[]> {
  const random = randomFrom(seed)
  const stock = Array.from({ length: 4000 }, () => word(random))
  const usual = () => stock[Math.floor(stock.length * random() ** 2)]!
  const lectures: Record<string, string[]> = {}
  let lines: string[] = []
  for (let at = 0; at < count; at++) {
    const subject = capital(word(random) + word(random))
    // Every third is new, the others repeat one with some words changed.
    lines =
      at % 3 === 0
        ? Array.from({ length: 60 }, () => `${Array.from({ length: 6 + Math.floor(random() * 9) }, usual).join(' ')}.`)
        : lines.map(line => (random() < 0.5 ? line : line.replace(/ \w+/, ` ${usual()}`)))
    lines = lines.map((line, i) =>
      i % 20 === 0
        ? `${subject} ${line
            .split(' ')
            .slice(at % 3 === 0 ? 0 : 1)
            .join(' ')}`
        : line,
    )
    lectures[`lecture-${String(at).padStart(3, '0')}.mp4`] = lines
  }
  return lectures
}

// The same numbers for the same seed.
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function word(random: () => number): string {
  const pick = (from: string) => from[Math.floor(random() * from.length)]!
  const syllables = 2 + Math.floor(random() * 3)
  return (
    Array.from(
      { length: syllables },
      () => `${pick('bcdfghjklmnprstvwz')}${pick('aeiouy')}${pick('  lnrs').trim()}`,
    ).join('') + pick('nrstlmk')
  )
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
