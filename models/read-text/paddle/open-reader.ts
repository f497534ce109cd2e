import type { Host } from '../../../src/core/backend.ts'
import type { TextReader } from '../../../src/core/services.ts'
import { Batches } from '../../onnx/batches.ts'
import type { OnnxSettings } from '../../onnx/device.ts'
import { lazySession } from '../../onnx/session.ts'
import type { AccentReader } from '../accents.ts'
import type { SmallPrintReader } from '../small-print.ts'
import { type PageReader, type PageSettings, readPages } from './read-page.ts'

interface ReaderParts {
  detector: string
  recognizer: string
  classifier?: string
  keys: string[]
  accents?: AccentReader
  smallPrint?: SmallPrintReader
}

// A detector that finds lines, a recogniser that reads them, and if there is one a classifier of those that are upside down.
export function openReader(
  files: ReaderParts,
  settings: PageSettings & OnnxSettings,
  host: Host,
  idleSeconds?: number,
): TextReader {
  const detector = lazySession(files.detector, settings, host, idleSeconds)
  const recognizer = lazySession(files.recognizer, settings, host, idleSeconds)
  const classifier = files.classifier ? lazySession(files.classifier, settings, host) : undefined
  const say = (line: string) => host.say(line)
  const reader: PageReader = {
    detector,
    recognizer,
    classifier,
    keys: files.keys,
    accents: files.accents,
    smallPrint: files.smallPrint,
    settings,
    pages: new Batches(1, { cpu: 1, card: 1 }, say, detector),
    lines: new Batches('auto', { cpu: 1, card: 8 }, say, recognizer),
  }
  const read: TextReader['read'] = (frames, signal) => readPages(frames, reader, signal)
  return {
    atOnce: reader.accents ? 12 : 4, // each language of accents is opened once a call
    read: reader.accents ? oneAtATime(read) : read,
    close: async () =>
      void (await Promise.all([detector, recognizer, classifier, files.smallPrint].map(part => part?.close?.()))),
  }
}

// A call begins if the one before it is done.
function oneAtATime(read: TextReader['read']): TextReader['read'] {
  let last: Promise<unknown> = Promise.resolve()
  return (frames, signal) => {
    const lines = last.then(() => read(frames, signal))
    last = lines.catch(() => {})
    return lines
  }
}
