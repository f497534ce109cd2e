import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import { isFile } from '../is-file.ts'

type Scheduler = Awaited<ReturnType<typeof import('tesseract.js')['createScheduler']>>
export type Page = import('tesseract.js').Page

export interface Workers {
  recognize(image: Uint8Array): Promise<Page>
  close(): Promise<void>
}

const startLimit = 60 // seconds

// Tesseract in WebAssembly, some workers of it in threads of their own. Nothing is fetched: the language data is a package.
export async function tesseractWorkers(language: string, count: number, singleColumn = true): Promise<Workers> {
  const langPath = await dataFolder(language)
  if (!langPath)
    throw new UsageError(`There is no language data "${language}" for Tesseract.`, { hint: dataHint(language) })
  const { createScheduler, PSM } = await import('tesseract.js')
  const scheduler = createScheduler()
  const parameters = {
    tessedit_pageseg_mode: singleColumn ? PSM.SINGLE_COLUMN : PSM.SPARSE_TEXT,
    user_defined_dpi: '96',
    debug_file: '/dev/null',
  }
  try {
    for (let i = 0; i < count; i++) scheduler.addWorker(await startWorker(language, langPath, parameters))
  } catch (error) {
    await scheduler.terminate()
    throw error
  }
  return {
    recognize: async image =>
      (await scheduler.addJob('recognize', Buffer.from(image), {}, { blocks: true, text: false })).data,
    close: async () => void (await scheduler.terminate()),
  }
}

export function dataHint(language: string): string {
  return `npm install @tesseract.js-data/${language}`
}

// Where the data of a language lies; undefined where it is not installed.
export async function dataFolder(language: string): Promise<string | undefined> {
  if (!/^[a-z_]{3,12}$/.test(language)) return undefined
  try {
    const file = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)
    const folder = join(dirname(file), '4.0.0_best_int')
    return (await isFile(join(folder, `${language}.traineddata.gz`))) ? folder : undefined
  } catch {
    return undefined
  }
}

type Worker = Parameters<Scheduler['addWorker']>[0]

// A start that fails never settles by itself, and an error that nobody takes would end the process.
async function startWorker(
  language: string,
  langPath: string,
  parameters: Parameters<Worker['setParameters']>[0],
): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js')
  const worker = await new Promise<Worker>((resolve, reject) => {
    const fail = (cause: unknown) => reject(new BackendError(`Tesseract did not start: ${String(cause)}.`, { cause }))
    const limit = setTimeout(() => fail(`no answer within ${startLimit} s`), startLimit * 1000)
    createWorker(language, OEM.LSTM_ONLY, { langPath, gzip: true, cacheMethod: 'none', errorHandler: fail })
      .then(resolve, fail)
      .finally(() => clearTimeout(limit))
  })
  await worker.setParameters(parameters)
  return worker
}
