import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { benchmarkNames, loadBenchmark } from '../../../eval/benchmarks/index.ts'
import { Span } from '../../../src/core/time.ts'
import { records } from '../dictionary.ts'
import { mutateJson } from '../mutate/json.ts'
import { scratch } from '../scratch.ts'
import { areTexts, promise, type Target } from '../target.ts'

// The first line of an input says which benchmark and which kind of file; the rest is the file.
const benchmarks: Target = {
  name: 'benchmarks',
  summary: 'annotation files of the benchmarks',
  guided: /eval\/(benchmarks|data|python)\//,
  seeds: async () => Object.entries(records).flatMap(([name, record]) => inputs(name, record)),
  mutate(input, draw, other) {
    const [head, body] = parts(input)
    const [otherHead, otherBody] = parts(other)
    const changed = mutateJson(body, draw, otherBody, words)
    return Buffer.concat([Buffer.from(`${draw.chance(0.1) ? otherHead : head}\n`), changed])
  },
  async run(input) {
    const [head, body] = parts(input)
    const [, name = 'allvb', end = 'json'] = /^([\w-]+)\.(json|jsonl|csv|tsv)$/.exec(head) ?? []
    if (!benchmarkNames.includes(name)) return
    // InfiniBench knows a skill by the name of its file.
    const file = scratch(name === 'infinibench' ? `global_appearance.${end}` : `records.${end}`)
    writeFileSync(file, body)
    const benchmark = await loadBenchmark(name)
    let count = 0
    const records = await benchmark.data.records([file])
    for (const sample of records.flatMap((record, place) => benchmark.samples(record, place))) {
      count++
      const { id, video, question, choice, clues = [], turns = [], groups } = sample
      const options = question.options ?? []
      const texts = [
        id,
        video,
        question.text,
        ...options,
        ...turns.map(turn => turn.question.text),
        ...Object.values(groups),
      ]
      promise(areTexts(texts), `${name}: texts are texts`)
      const fits = choice === undefined || (Number.isInteger(choice) && choice >= 0 && choice < options.length)
      promise(fits, `${name}: the right option is one of the options, not ${choice} of ${options.length}`)
      const spans = z.array(Span).safeParse(clues)
      promise(spans.success, `${name}: clues are spans: ${JSON.stringify(clues)}`)
    }
    promise(count <= input.length, 'samples are no more than bytes')
  },
}

export default benchmarks

function parts(input: Buffer): [string, Buffer] {
  const end = input.indexOf('\n')
  return end < 0 ? ['', input] : [input.toString('utf8', 0, end), input.subarray(end + 1)]
}

function inputs(name: string, record: object): Buffer[] {
  const quoted = (value: unknown) =>
    `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
  const files = {
    json: JSON.stringify([record, record]),
    jsonl: `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`,
    csv: `${Object.keys(record).join(',')}\n${Object.values(record).map(quoted).join(',')}\n`,
  }
  return Object.entries(files).map(([end, body]) => Buffer.from(`${name}.${end}\n${body}`))
}

const fields = new Set(Object.values(records).flatMap(Object.keys))
const words = [...fields, 'qa', 'questions', 'data', 'VC', 'Scene Recognition']
