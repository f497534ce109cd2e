import type { Frame } from '../../src/core/video.ts'
import { type LineWord, linePicture } from './line-words.ts'
import { readInLanguage } from './read-in-language.ts'
import { dataFolder, listDataPackages } from './tesseract-workers.ts'

// Languages in Latin letters with accents that have a package @tesseract.js-data/<language>.
const accented = [
  ...['afr', 'cat', 'ces', 'cym', 'dan', 'deu', 'est', 'fin', 'fra', 'gle', 'glg', 'hrv', 'hun', 'isl', 'ita', 'lav'],
  ...['lit', 'nld', 'nor', 'pol', 'por', 'ron', 'slk', 'slv', 'spa', 'sqi', 'swe', 'tur', 'vie'],
]

export async function installedLanguages(): Promise<string[]> {
  const names = await listDataPackages()
  const packages = accented.filter(language => names.has(language))
  const folders = await Promise.all(packages.map(dataFolder))
  return packages.filter((_, i) => folders[i])
}

interface ReadLine {
  text: string
  picture: Frame
}

export interface AccentReader {
  restore(lines: readonly ReadLine[], signal: AbortSignal): Promise<string[]>
}

// Gives the words of lines the accents that Tesseract sees in them: PP-OCRv4 reads the plain letter. A language takes some 100 MB while
// it is open, so the lines are read in one after the other.
export function openAccentReader(languages: readonly string[], read = readInLanguage): AccentReader {
  return {
    async restore(lines, signal) {
      const texts = lines.map(({ text }) => text)
      const accented = [...texts.keys()].filter(i => mayHaveAccents.test(texts[i]!))
      if (accented.length === 0) return texts
      const pictures = await Promise.all(accented.map(i => linePicture(lines[i]!.picture)))
      const words = pictures.map(() => [] as LineWord[])
      for (const language of languages)
        for (const [i, found] of (await read(language, pictures, signal)).entries()) words[i]!.push(...found)
      for (const [at, i] of accented.entries()) texts[i] = withAccents(texts[i]!, words[at]!)
      return texts
    },
  }
}

const mayHaveAccents = /\p{Script=Latin}{3}/u
const minConfidence = 60

// Of readings that differ from a word only in accents, the surest is taken.
export function withAccents(text: string, readings: readonly LineWord[]): string {
  return text.replace(/\S+/g, word => {
    const same = readings.filter(reading => readsAs(reading.text, word))
    const before = { text: word, confidence: minConfidence }
    return same.reduce((best, reading) => (reading.confidence > best.confidence ? reading : best), before).text
  })
}

// PP-OCRv4 reads a letter with an accent as a plain one, as another one or not at all. All other letters agree, and are the most.
function readsAs(reading: string, word: string): boolean {
  const letters = [...reading.normalize('NFC')]
  if (letters.filter(isAccented).length * 2 > letters.length) return false
  const pattern = letters.map(letter => (isAccented(letter) ? '.{0,2}' : letter.replace(/[^\p{L}\p{N}]/u, '\\$&')))
  return new RegExp(`^${pattern.join('')}$`).test(word)
}

function isAccented(letter: string): boolean {
  return letter > '\x7f' && /\p{L}/u.test(letter)
}
