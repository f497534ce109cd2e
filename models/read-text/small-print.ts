import type { Closable } from '../../src/core/backend.ts'
import type { Frame } from '../../src/core/video.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { type LineWord, linePicture, listWords } from './line-words.ts'
import { tesseractWorkers } from './tesseract-workers.ts'

interface ReadLine {
  text: string
  picture: Frame
}

export interface SmallPrintReader extends Closable {
  correct(lines: readonly ReadLine[], signal: AbortSignal): Promise<string[]>
}

const small = 12 // pixels of the height of a line in which PP-OCRv4 loses narrow letters, and Tesseract does not

// Gives the words of small print the narrow letters that Tesseract is sure of.
export function openSmallPrintReader(idleSeconds: number): SmallPrintReader {
  const workers = closeWhenIdle(() => tesseractWorkers('eng', 1, 'SINGLE_LINE'), idleSeconds)
  return {
    async correct(lines, signal) {
      const texts: string[] = []
      for (const { text, picture } of lines) {
        signal.throwIfAborted()
        if (picture.height > small || !mayLackLetters.test(text)) texts.push(text)
        else {
          const image = await linePicture(picture)
          texts.push(withNarrowLetters(text, listWords(await workers.use(open => open.recognize(image)))))
        }
      }
      return texts
    },
    close: workers.close,
  }
}

const mayLackLetters = /[a-z]{3}/i
const minConfidence = 80

// Of readings that differ from a word only in narrow letters, the surest is taken: "Clmate" is "Climate", "Bem" is "Bern".
export function withNarrowLetters(text: string, readings: readonly LineWord[]): string {
  return text.replace(/\S+/g, word => {
    const wide = wideLetters(word)
    const same = wide.length < 2 ? [] : readings.filter(reading => wideLetters(reading.text) === wide)
    const before = { text: word, confidence: minConfidence }
    return same.reduce((best, reading) => (reading.confidence > best.confidence ? reading : best), before).text
  })
}

// Digits and marks within a word stay as they are.
function wideLetters(word: string): string {
  if (!/^[\p{L}'’-]+[.,:;!?]?$/u.test(word)) return word
  return word.replaceAll('rn', 'm').replace(/[iIlftrj.,:;!?]/g, '')
}
