import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import { BackendError, errorText, type LongtakeError, UsageError } from '../../src/core/errors.ts'
import { resourceFault } from '../../src/core/machine/resource-fault.ts'
import { isFile } from '../is-file.ts'

type Scheduler = Awaited<ReturnType<typeof import('tesseract.js')['createScheduler']>>
export type Page = import('tesseract.js').Page

export interface Workers {
  recognize(image: Uint8Array): Promise<Page>
  ended(): boolean // one of its threads broke: nothing more can be asked of it
  close(): Promise<void>
}

const startSeconds = 60

// Tesseract in WebAssembly, some workers of it in threads of their own. Nothing is fetched: the language data is a package.
export async function tesseractWorkers(language: string, count: number): Promise<Workers> {
  const langPath = await dataFolder(language)
  if (!langPath)
    throw new UsageError(`There is no language data "${language}" for Tesseract.`, { hint: dataHint(language) })
  const { createScheduler, PSM } = await import('tesseract.js')
  const scheduler = createScheduler()
  const parameters = {
    tessedit_pageseg_mode: PSM.SINGLE_COLUMN,
    user_defined_dpi: '96',
    debug_file: '/dev/null',
  }
  const broken = breakage()
  const stop = async () => void (await scheduler.terminate())
  try {
    for (let i = 0; i < count; i++)
      scheduler.addWorker(await startWorker(language, langPath, parameters, broken.report))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    recognize: async image => {
      const job = scheduler.addJob('recognize', Buffer.from(image), {}, { blocks: true, text: false })
      // A thread that has died answers nothing more.
      const { data } = await Promise.race([job, broken.happened]).catch(cause => {
        throw broke(cause)
      })
      return data
    },
    ended: broken.isThere,
    close: stop,
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
  onBreak: (cause: unknown) => void,
): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js')
  const worker = await new Promise<Worker>((resolve, reject) => {
    const fail = (cause: unknown) => {
      onBreak(cause)
      reject(broke(cause))
    }
    const limit = setTimeout(() => fail(`no answer within ${startSeconds} s`), startSeconds * 1000)
    const settings = { langPath, gzip: true, cacheMethod: 'none', errorHandler: fail }
    nextThread(
      () =>
        createWorker(language, OEM.LSTM_ONLY, settings)
          .then(resolve, fail)
          .finally(() => clearTimeout(limit)),
      thread => {
        thread.on('error', fail)
        for (const stream of [thread.stdout, thread.stderr]) stream.unpipe().resume() // emscripten prints what it throws
      },
    )
  })
  await worker.setParameters(parameters)
  return worker
}

// tesseract.js shows its thread only once it works. Node tells of every new thread at the next tick, in the order of creation.
function nextThread(create: () => unknown, take: (thread: Thread) => void): void {
  let last: Thread | undefined
  const see = (thread: Thread) => {
    last = thread
  }
  process.on('worker', see)
  create()
  process.nextTick(() => {
    process.off('worker', see)
    if (last) take(last)
  })
}

function breakage() {
  let isThere = false
  let report: (cause: unknown) => void = () => {}
  const happened = new Promise<never>((_, reject) => {
    report = cause => {
      isThere = true
      reject(cause)
    }
  })
  happened.catch(() => {}) // whoever waits for a page hears of it
  return { happened, report: (cause: unknown) => report(cause), isThere: () => isThere }
}

function broke(cause: unknown): LongtakeError {
  const text = errorText(cause)
  const refused = resourceFault(cause, 'Tesseract')
  if (refused)
    return /webassembly|wasm/i.test(text) ? new BackendError(refused.message, { hint: wasmHint, cause }) : refused
  return new BackendError(`Tesseract broke: ${text.split('\n')[0]!.replace(/\.+$/, '')}.`, { cause })
}

// WebAssembly reserves 10 GB of addresses for each memory, which it never fills; without its trap handler it does not.
const wasmHint =
  'Where "ulimit -v" is set: raise it, or set NODE_OPTIONS=--disable-wasm-trap-handler. Else give the machine more memory.'
