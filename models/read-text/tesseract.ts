import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { bestLines } from './best-lines.ts'
import { type GreyPicture, greyOf, holdsLetters, lettersOf } from './contrast.ts'

const Settings = z.object({
  language: z.string().default('eng').describe('of the language data package @tesseract.js-data/<language>'),
  workers: z.number().int().min(1).optional().describe('default: one less than there are cores'),
  passes: z
    .enum(['one', 'three'])
    .default('three')
    .describe('three also finds light letters on dark ground beside dark ones, and faint ones'),
})

const START_LIMIT = 60_000
const WIDTH = 1280 // narrower frames are enlarged to it, so that small letters have enough pixels

const tesseract: Backend<TextReader, z.infer<typeof Settings>> = {
  summary: 'Tesseract in WebAssembly, with the language data of an npm package',
  version: '1',
  settings: Settings,
  async open(settings) {
    const workers = settings.workers ?? Math.max(1, availableParallelism() - 1)
    const scheduler = await startWorkers(settings.language, workers)
    return {
      read: (frames, signal) =>
        Promise.all(
          frames.map(async frame => {
            signal.throwIfAborted()
            const picture = greyOf(await enlarged(frame))
            const { bright, dark } = lettersOf(picture)
            const pictures = [bright, dark].filter(holdsLetters)
            if (pictures.length === 0) return []
            if (settings.passes === 'one') pictures.length = 0
            pictures.push(picture)
            const readings = await Promise.all(
              pictures.map(async one => {
                const { data } = await scheduler.addJob(
                  'recognize',
                  portableGreymap(one),
                  {},
                  { blocks: true, text: false },
                )
                return linesOf(data.blocks ?? [], one)
              }),
            )
            return bestLines(readings)
          }),
        ),
      close: async () => {
        await scheduler.terminate()
      },
    }
  },
}

export default tesseract

type Scheduler = Awaited<ReturnType<typeof import('tesseract.js')['createScheduler']>>
type Block = NonNullable<import('tesseract.js').Page['blocks']>[number]

async function startWorkers(language: string, count: number): Promise<Scheduler> {
  const langPath = dataFolder(language)
  const { createScheduler, createWorker, PSM } = await import('tesseract.js')
  const scheduler = createScheduler()
  for (let i = 0; i < count; i++) {
    // A failed start never settles by itself, and an error nobody takes ends the process.
    const worker = await new Promise<Awaited<ReturnType<typeof createWorker>>>((resolve, reject) => {
      const fail = (cause: unknown) => reject(new BackendError(`Tesseract did not start: ${String(cause)}.`, { cause }))
      const limit = setTimeout(() => fail(`no answer within ${START_LIMIT / 1000} s`), START_LIMIT)
      createWorker(language, 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler: fail })
        .then(resolve, fail)
        .finally(() => clearTimeout(limit))
    })
    await worker.setParameters({
      tessedit_pageseg_mode: PSM.SPARSE_TEXT,
      user_defined_dpi: '96',
      debug_file: '/dev/null',
    })
    scheduler.addWorker(worker)
  }
  return scheduler
}

function dataFolder(language: string): string {
  const missing = () =>
    new UsageError(`There is no language data "${language}" for Tesseract.`, {
      hint: `npm install @tesseract.js-data/${language}`,
    })
  if (!/^[a-z_]{3,12}$/.test(language)) throw missing()
  try {
    const folder = join(
      dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)),
      '4.0.0_best_int',
    )
    if (existsSync(join(folder, `${language}.traineddata.gz`))) return folder
  } catch {
    throw missing()
  }
  throw missing()
}

async function enlarged(frame: Frame): Promise<Frame> {
  return frame.width < WIDTH ? resizeFrame(frame, WIDTH, Math.round((frame.height * WIDTH) / frame.width)) : frame
}

function portableGreymap({ width, height, grey }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey])
}

function linesOf(blocks: Block[], { width, height }: GreyPicture): TextLine[] {
  return blocks
    .flatMap(block => block.paragraphs.flatMap(paragraph => paragraph.lines))
    .map(({ text, confidence, bbox }) => ({
      text: text.trim().replace(/\s+/g, ' '),
      confidence: confidence / 100,
      box: {
        x: bbox.x0 / width,
        y: bbox.y0 / height,
        width: (bbox.x1 - bbox.x0) / width,
        height: (bbox.y1 - bbox.y0) / height,
      },
    }))
}
