import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { textReaders } from '../../models/read-text/index.ts'
import { runScript } from '../../scripts/script.ts'
import { editDistance } from '../../src/core/errors.ts'
import { decodeImage } from '../../src/media/image.ts'

// Characters wrong and lines read whole, of one reader over pictures whose text is known.
//   npx tsx tests/parity/text.ts FOLDER [--backend tesseract] [--settings '{"device":"cpu"}'] [--lines] [--out read.json]
// FOLDER has pictures NN-KIND.png and truth.json: {"01-slide.png": ["a line", "the next"]}; an empty list where nothing is to be read.
// A line is whole if it is among what was read, letter by letter, spaces and capitals apart.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'ppocr' },
    settings: { type: 'string', default: '{}' },
    lines: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const [folder = '.'] = positionals

interface Sum {
  frames: number
  characters: number
  wrong: number // letters inserted, left out or taken for others, spaces apart
  lines: number
  whole: number
  ms: number
  cpu: number // of all threads
}

await runScript(async signal => {
  const host = { folder: tmpdir(), environment: process.env, signal, say: console.error }
  const truth: Record<string, string[]> = JSON.parse(await readFile(join(folder, 'truth.json'), 'utf8'))
  const reader = await textReaders.open(values.backend, JSON.parse(values.settings), host)
  const sums = new Map<string, Sum>()
  const read: Record<string, { lines: { text: string }[]; ms: number }> = {}
  const files = Object.entries(truth)
  await reader.read([await decodeImage(await readFile(join(folder, files[0]![0])))], signal) // its models are loaded
  for (const [file, wanted] of files) {
    const frame = await decodeImage(await readFile(join(folder, file)))
    const began = performance.now()
    const before = process.cpuUsage()
    const [lines = []] = await reader.read([frame], signal)
    const ms = performance.now() - began
    const { user, system } = process.cpuUsage(before)
    read[file] = { lines, ms }
    const texts = lines.map(({ text }) => text)
    const all = bare(texts.join(''))
    const [characters, wrong] = [bare(wanted.join('')).length, editDistance(bare(wanted.join('')), all)]
    const whole = wanted.filter(line => all.toLowerCase().includes(bare(line).toLowerCase())).length
    for (const kind of [file.replace(/^\d+-|\.\w+$/g, ''), 'all']) {
      const sum = sums.get(kind) ?? { frames: 0, characters: 0, wrong: 0, lines: 0, whole: 0, ms: 0, cpu: 0 }
      sum.frames++
      sum.characters += characters
      sum.wrong += wrong
      sum.lines += wanted.length
      sum.whole += whole
      sum.ms += ms
      sum.cpu += (user + system) / 1000
      sums.set(kind, sum)
    }
    if (values.lines && (wrong > 0 || whole < wanted.length)) {
      console.log(`${file}: ${wrong} wrong, ${whole} of ${wanted.length} whole`)
      console.log(`    truth ${wanted.join(' / ')}`)
      console.log(`    read  ${lines.map(line => `${line.text} (${line.confidence.toFixed(2)})`).join(' / ')}`)
    }
  }
  await reader.close?.()
  console.log(
    '| kind | frames | characters wrong | lines whole | ms a frame | CPU ms a frame |\n|---|---|---|---|---|---|',
  )
  const all = sums.get('all')
  sums.delete('all')
  for (const [kind, sum] of [...sums].sort(([a], [b]) => a.localeCompare(b))) print(kind, sum)
  if (all) print('all', all)
  console.log(`peak of the process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  if (values.out) await writeFile(values.out, JSON.stringify(read))
})

function print(kind: string, { frames, characters, wrong, lines, whole, ms, cpu }: Sum): void {
  const share = characters > 0 ? `${((100 * wrong) / characters).toFixed(1)} %` : `${wrong} letters`
  console.log(
    `| ${kind} | ${frames} | ${share} | ${whole} of ${lines} | ${Math.round(ms / frames)} | ${Math.round(cpu / frames)} |`,
  )
}

function bare(text: string): string {
  return text.replaceAll('：', ':').replaceAll('’', "'").replace(/\s/g, '')
}
