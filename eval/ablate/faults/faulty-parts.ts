import { happens } from '../../../src/core/basics/draws.ts'
import { BackendError } from '../../../src/core/errors.ts'
import type { TextReader, Transcriber } from '../../../src/core/services.ts'
import type { Tool, ToolContext } from '../../../src/core/tool.ts'
import type { AblationFault } from '../../runner/changes/fault.ts'
import { lineDraw, misheard, misread, textDraw, wordPool } from './plant-errors.ts'
import { isDropped } from './stage-faults.ts'

const grid = 0.5 // seconds: within one of these a moment of the video is lost or kept as a whole

// The tools of the row: those that are off are gone, those that are down fail.
export function changedTools(
  tools: readonly Tool[],
  off: ReadonlySet<string>,
  faults: readonly AblationFault[],
  seed: number,
): Tool[] {
  const down = faults.filter(fault => fault.target === 'tool')
  return tools
    .filter(tool => !off.has(tool.name))
    .map(tool =>
      down.filter(fault => fault.tool === tool.name).reduce((one, fault) => failing(one, fault.amount, seed), tool),
    )
}

// What hears and reads for the tools errs as the row says, and frames that are lost show the last one before them, as a picture
// that froze.
export function changedContext(context: ToolContext, faults: readonly AblationFault[], seed: number): ToolContext {
  const fault = (target: AblationFault['target']) => faults.find(one => one.target === target && one.amount > 0)
  const [drop, asr, ocr] = [fault('frames'), fault('asr'), fault('ocr')]
  const { retranscribe, readText } = context.services
  const services: ToolContext['services'] = {
    ...context.services,
    async retranscribe() {
      const speech = await retranscribe()
      return asr ? { ...speech, service: faultyTranscriber(speech.service, asr, seed) } : speech
    },
    async readText() {
      const textRows = await readText()
      return ocr ? { ...textRows, service: faultyReader(textRows.service, ocr, seed) } : textRows
    },
  }
  const faulty = { ...context, services }
  return drop ? frozen(faulty, drop.amount, seed) : faulty
}

function failing(tool: Tool, amount: number, seed: number): Tool {
  return {
    ...tool,
    async run(input, context) {
      if (happens(amount, seed, 'tool', tool.name, input)) throw new BackendError(`${tool.name} is down.`)
      return tool.run(input, context)
    },
  }
}

function frozen(context: ToolContext, amount: number, seed: number): ToolContext {
  const isShown = (time: number) => {
    let at = Math.floor(time / grid)
    while (at > 0 && isDropped(amount, seed, at * grid)) at--
    return at === Math.floor(time / grid) ? time : at * grid
  }
  return { ...context, frames: (times, ...rest) => context.frames(times.map(isShown), ...rest) }
}

// What hears and reads while a question is answered errs as much as what made the index.
function faultyTranscriber(inner: Transcriber, { amount }: AblationFault, seed: number): Transcriber {
  return {
    async *transcribe(request, signal) {
      const lines = []
      for await (const line of inner.transcribe(request, signal)) lines.push(line)
      const pool = wordPool(lines)
      for (const line of lines) {
        const heard = misheard(line, amount, pool, lineDraw(seed, line))
        if (heard) yield heard
      }
    },
  }
}

function faultyReader(inner: TextReader, { amount }: AblationFault, seed: number): TextReader {
  return {
    async read(frames, signal) {
      const read = await inner.read(frames, signal)
      return read.map((lines, at) =>
        lines.flatMap(line => {
          const text = misread(line.text, amount, textDraw(seed, [frames[at]?.time, line.box], line.text))
          return text.trim() === '' ? [] : [{ ...line, text }]
        }),
      )
    },
  }
}
