import type { Host, ModelNeed } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import { hubModel, modelNeeds, openModelFolder } from '../../hub/hub-model.ts'
import { fileNeeds } from '../../is-file.ts'

// Short names, and the repositories of the hub in which PaddlePaddle publishes the two models of each.
export const paddleModels = {
  'ppocr-v5-mobile': {
    detector: 'PaddlePaddle/PP-OCRv5_mobile_det_onnx',
    recognizer: 'PaddlePaddle/PP-OCRv5_mobile_rec_onnx',
  },
  'ppocr-v5-server': {
    detector: 'PaddlePaddle/PP-OCRv5_server_det_onnx',
    recognizer: 'PaddlePaddle/PP-OCRv5_server_rec_onnx',
  },
}
export type ModelName = keyof typeof paddleModels

interface PaddleFiles {
  model?: ModelName
  detector?: string
  recognizer?: string
  keys?: string
  classifier?: string
}

const network = 'inference.onnx'
const description = 'inference.yml' // of a recogniser: its characters are in it

// Files that a person names go before those of a named model.
export function filesNeeded(files: PaddleFiles): ModelNeed[] {
  const { detector, recognizer, keys, classifier } = files
  const { detectors, recognizers } = repositories(files)
  return [
    ...fileNeeds('readText', { detector, recognizer, keys, classifier }),
    ...(detectors && !detector ? modelNeeds(detectors) : []),
    ...(recognizers && !(recognizer && keys) ? modelNeeds(recognizers) : []),
  ]
}

// The paths of all files, and the characters that the recogniser reads.
export async function openFiles(named: PaddleFiles, host: Host) {
  const { detectors, recognizers } = repositories(named)
  const findFile = async (from: typeof detectors, file: string) =>
    from ? (await openModelFolder(from, host)).file(file) : ''
  const keys = named.keys ?? (await findFile(recognizers, description))
  return {
    detector: named.detector ?? (await findFile(detectors, network)),
    recognizer: named.recognizer ?? (await findFile(recognizers, network)),
    classifier: named.classifier,
    keys: await readKeys(keys),
  }
}

// Without any name it is the small model; it is not the default of the setting, which would make the text of older libraries anew.
export function paddleModelName({ model, detector, recognizer, keys }: PaddleFiles): ModelName | undefined {
  return model ?? (detector || recognizer || keys ? undefined : 'ppocr-v5-mobile')
}

function repositories(files: PaddleFiles) {
  const model = paddleModelName(files)
  if (!model) return {}
  const at = (repository: string, files: string[]) =>
    hubModel({ model: repository, revision: 'main', precision: 'fp32' }, {}, { files, parts: [] })
  return {
    detectors: at(paddleModels[model].detector, [network]),
    recognizers: at(paddleModels[model].recognizer, [network, description]),
  }
}

export async function readKeys(file: string): Promise<string[]> {
  const keys = readCharacters(await readBoundedText(file, 64e6), file.endsWith('.yml'))
  if (keys.length < 2)
    throw new UsageError(`${file} holds no keys.`, {
      hint: 'It must hold one character a line, or be the inference.yml of the recogniser.',
    })
  return keys
}

// The characters of a recogniser, in the order of its classes: a line each, or the list "character_dict" of its inference.yml.
export function readCharacters(text: string, isYaml: boolean): string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (!isYaml) return lines
  const from = lines.findIndex(line => /^\s*character_dict:\s*$/.test(line)) + 1
  if (from === 0) return []
  const items = lines.slice(from)
  const end = items.findIndex(line => !/^\s*- /.test(line))
  return (end < 0 ? items : items.slice(0, end)).map(line => scalar(line.replace(/^\s*- /, '')))
}

// YAML's three ways to write one character: plain, in single quotes, in double quotes.
function scalar(written: string): string {
  const single = /^'(.*)'\s*$/s.exec(written)
  if (single) return single[1]!.replaceAll("''", "'")
  const double = /^"(.*)"\s*$/s.exec(written)
  if (!double) return written.replace(/[ \t]+$/, '') // a wide space is a character
  return double[1]!.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gi,
    (_, two?: string, four?: string, eight?: string, letter?: string) => {
      const code = two ?? four ?? eight
      return code ? String.fromCodePoint(Number.parseInt(code, 16)) : (escapes[letter!] ?? letter!)
    },
  )
}

const escapes: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
}
