import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { toGrey } from './grey-picture.ts'
import { dataFolder, portableGreymap, type TesseractPage, tesseractWorkers } from './tesseract-workers.ts'

// Languages in Latin letters with accents that have a package @tesseract.js-data/<language>.
const accented = [
  ...['afr', 'cat', 'ces', 'cym', 'dan', 'deu', 'est', 'fin', 'fra', 'gle', 'glg', 'hrv', 'hun', 'isl', 'ita', 'lav'],
  ...['lit', 'nld', 'nor', 'pol', 'por', 'ron', 'slk', 'slv', 'spa', 'sqi', 'swe', 'tur', 'vie'],
]

export async function installedLanguages(): Promise<string[]> {
  const folders = await Promise.all(accented.map(dataFolder))
  return accented.filter((_, i) => folders[i])
}

interface ReadLine {
  text: string
  picture: Frame
}

export interface AccentReader {
  restore(lines: readonly ReadLine[], signal: AbortSignal): Promise<string[]>
  close(): Promise<void>
}

// Gives the words of lines the accents that Tesseract sees in them: PP-OCRv4 reads the plain letter.
export function openAccentReader(languages: readonly string[], idleSeconds: number): AccentReader {
  const pools = languages.map(language =>
    closeWhenIdle(() => tesseractWorkers(language, 1, 'SINGLE_LINE'), idleSeconds),
  )
  return {
    async restore(lines, signal) {
      const texts: string[] = []
      for (const { text, picture } of lines) {
        signal.throwIfAborted()
        texts.push(mayHaveAccents.test(text) ? withAccents(text, await readWords(picture)) : text)
      }
      return texts
    },
    close: async () => void (await Promise.all(pools.map(pool => pool.close()))),
  }

  async function readWords(picture: Frame): Promise<AccentedWord[]> {
    const image = portableGreymap(toGrey(await resizeFrame(picture, computeWidth(picture), height)))
    const pages = await Promise.all(pools.map(pool => pool.use(open => open.recognize(image))))
    return pages.flatMap(listWords)
  }
}

const mayHaveAccents = /\p{Script=Latin}{3}/u
const height = 48 // pixels of a line that Tesseract reads

function computeWidth({ width, height: from }: Frame): number {
  return Math.max(1, Math.round((width * height) / from))
}

interface AccentedWord {
  text: string
  confidence: number // 0 to 100
}

function listWords(page: TesseractPage): AccentedWord[] {
  const lines = (page.blocks ?? []).flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
  return lines.flatMap(line => line.words.map(({ text, confidence }) => ({ text, confidence })))
}

const minConfidence = 60

// Of readings that differ from a word in accents alone the surest is taken.
export function withAccents(text: string, readings: readonly AccentedWord[]): string {
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
