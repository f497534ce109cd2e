import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import type { ModelNeed } from '../../src/core/backend.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { absentAs, BackendError, errorText, type LongtakeError, UsageError } from '../../src/core/errors.ts'
import { resourceFault } from '../../src/core/machine/resource-fault.ts'
import { isFile } from '../is-file.ts'
import type { GreyPicture } from './grey-picture.ts'

type Scheduler = Awaited<ReturnType<typeof import('tesseract.js')['createScheduler']>>
export type TesseractPage = import('tesseract.js').Page

export interface TesseractWorkers {
  recognize(image: Uint8Array): Promise<TesseractPage>
  ended(): boolean // one of its threads broke
  close(): Promise<void>
}

const startSeconds = 60

// Workers of Tesseract in WebAssembly, each in a thread of its own. Nothing is downloaded: the language data is a package.
export async function tesseractWorkers(
  language: string,
  count: number,
  segmentation: 'SINGLE_COLUMN' | 'SINGLE_LINE' = 'SINGLE_COLUMN',
): Promise<TesseractWorkers> {
  const langPath = await requireData(language)
  const { createScheduler } = await import('tesseract.js')
  const scheduler = createScheduler()
  const parameters = await readingParameters(segmentation)
  const broken = new AbortController() // aborted with the cause when one of the threads breaks
  const stop = async () => void (await scheduler.terminate())
  try {
    for (let i = 0; i < count; i++)
      scheduler.addWorker(await startWorker(language, langPath, parameters, cause => broken.abort(cause)))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    recognize: async image => {
      const job = scheduler.addJob('recognize', Buffer.from(image), {}, { blocks: true, text: false })
      // A dead thread never answers.
      const { data } = await untilAborted(job, broken.signal).catch(cause => {
        throw breakage(cause)
      })
      return data
    },
    ended: () => broken.signal.aborted,
    close: stop,
  }
}

export async function readingParameters(segmentation: 'SINGLE_COLUMN' | 'SINGLE_LINE') {
  const { PSM } = await import('tesseract.js')
  return { tessedit_pageseg_mode: PSM[segmentation], user_defined_dpi: '96', debug_file: '/dev/null' }
}

export async function requireData(language: string): Promise<string> {
  const folder = await dataFolder(language)
  if (folder) return folder
  throw new UsageError(`There is no language data "${language}" for Tesseract.`, { hint: dataHint(language) })
}

export function portableGreymap({ width, height, grey }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey])
}

export function dataNeed(language: string): ModelNeed {
  return {
    name: `the language data "${language}" for Tesseract`,
    met: async () => (await dataFolder(language)) !== undefined,
    mend: dataHint(language),
  }
}

function dataHint(language: string): string {
  return `npm install @tesseract.js-data/${language}`
}

// The folder with the data of a language; undefined if it is not installed.
export async function dataFolder(language: string): Promise<string | undefined> {
  if (!/^[a-z_]{3,12}$/.test(language)) return undefined
  try {
    const file = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)
    const folder = join(dirname(file), '4.0.0_best_int')
    return (await isFile(join(folder, `${language}.traineddata.gz`))) ? folder : undefined
  } catch (error) {
    return absentAs(undefined, 'MODULE_NOT_FOUND')(error)
  }
}

// Names of the packages of data that are installed: a few listings, where resolving each language takes 16 lookups.
export async function listDataPackages(): Promise<Set<string>> {
  const places = createRequire(import.meta.url).resolve.paths('@tesseract.js-data/eng') ?? []
  const lists = places.map(place => readdir(join(place, '@tesseract.js-data')).catch(absentAs([])))
  return new Set((await Promise.all(lists)).flat())
}

type Worker = Parameters<Scheduler['addWorker']>[0]

// tesseract.js never settles a failed start, and an error that nobody handles would end the process.
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
      reject(breakage(cause))
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

// tesseract.js hands out its thread only once it works. Node emits every new thread at the next tick, in the order of creation.
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

function breakage(cause: unknown): LongtakeError {
  const text = errorText(cause)
  const refused = resourceFault(cause, 'Tesseract')
  if (refused)
    return /webassembly|wasm/i.test(text) ? new BackendError(refused.message, { hint: wasmHint, cause }) : refused
  const [line = ''] = text.split('\n')
  return new BackendError(`Tesseract broke: ${line.replace(/\.+$/, '')}.`, { cause })
}

// WebAssembly reserves 10 GB of address space for each memory unless its trap handler is off.
const wasmHint =
  'Where "ulimit -v" is set: raise it, or set NODE_OPTIONS=--disable-wasm-trap-handler. Else give the machine more memory.'
