import { createRequire } from 'node:module'
import { runProgram } from '../../src/media/program/run-program.ts'
import type { LineWord } from './line-words.ts'
import { readingParameters, requireData } from './tesseract-workers.ts'

// Runs in a Node of its own: Tesseract's memory grows with each language, and a thread that ends leaves some of it behind.
const program = `
const { createWorker, OEM } = require(process.argv[1])
const fail = cause => { console.error(String(cause?.message ?? cause)); process.exit(1) }
const read = async ({ language, langPath, parameters, pictures }) => {
  const worker = await createWorker(language, OEM.LSTM_ONLY, { langPath, gzip: true, cacheMethod: 'none', errorHandler: fail })
  await worker.setParameters(parameters)
  const pages = []
  for (const picture of pictures)
    pages.push((await worker.recognize(Buffer.from(picture, 'base64'), {}, { blocks: true, text: false })).data.blocks)
  const lines = pages.map(blocks => blocks?.flatMap(block => block.paragraphs.flatMap(({ lines }) => lines)) ?? [])
  const words = lines.map(lines => lines.flatMap(({ words }) => words.map(({ text, confidence }) => ({ text, confidence }))))
  process.stdout.write(JSON.stringify(words), () => process.exit(0))
}
process.stdin.toArray().then(pieces => read(JSON.parse(Buffer.concat(pieces)))).catch(fail)`

const startSeconds = 60
const lineSeconds = 10 // more than a slow machine takes

// The words of pictures of one line each.
export async function readInLanguage(
  language: string,
  pictures: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<LineWord[][]> {
  const request = {
    language,
    langPath: await requireData(language),
    parameters: await readingParameters('SINGLE_LINE'),
    pictures: pictures.map(picture => Buffer.from(picture).toString('base64')),
  }
  const tesseract = createRequire(import.meta.url).resolve('tesseract.js')
  const { stdout } = await runProgram(process.execPath, ['--eval', program, tesseract], {
    ...{ signal, input: Buffer.from(JSON.stringify(request)) },
    timeoutSeconds: startSeconds + lineSeconds * pictures.length,
  })
  return JSON.parse(stdout.toString('utf8'))
}
