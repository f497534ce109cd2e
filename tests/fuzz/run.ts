import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { FuzzFinding } from './judge.ts'
import { maxInput } from './mutate/bytes.ts'
import { openTarget, targetNames } from './targets.ts'

// npm run fuzz -- --target tar --seconds 600 --seed 1
// Inputs that broke a promise are written, minimised, to --out (default: fuzz-findings/<target>). Exit 1 where there are any.
const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'fuzz-findings' },
  },
})
const chosen = values.target === 'all' ? targetNames : values.target.split(',')
for (const name of chosen) await openTarget(name) // an unknown name is refused before anything runs

interface Report {
  executions: number
  read: number
  refused: number
  corpus: number
  covered: number
  findings?: { finding: FuzzFinding; input: Uint8Array }[]
  done?: boolean
}

const hangSeconds = 12
// A worker does not inherit the loader of its parent.
const worker = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
const startWorker = `import(${loader}).then(tsx => (tsx.register(), import(${worker})))`
const noMemory = 'ERR_WORKER_OUT_OF_MEMORY'
let findingCount = 0
for (const name of chosen) findingCount += await fuzzTarget(name, Number(values.seed), Number(values.seconds))
process.exitCode = findingCount > 0 ? 1 : 0

// An input that hangs or fills the memory ends its thread; the rest of the time goes to another seed.
async function fuzzTarget(name: string, seed: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  const total = { executions: 0, read: 0, refused: 0, corpus: 0, covered: 0 }
  const findings = new Map<string, { finding: FuzzFinding; input: Uint8Array }>()
  for (let round = 0; round === 0 || performance.now() < until - 1000; round++) {
    const report = await oneThread(name, seed + 1000 * round, Math.max(1, (until - performance.now()) / 1000))
    total.executions += report.executions
    total.read += report.read
    total.refused += report.refused
    total.corpus = Math.max(total.corpus, report.corpus)
    total.covered = Math.max(total.covered, report.covered)
    for (const suspect of report.findings ?? []) {
      // A machine that is busy elsewhere may hold a thread for longer than any input does.
      if (suspect.finding.kind === 'hang' && (await ends(name, suspect.input))) continue
      const key = `${suspect.finding.kind} ${suspect.finding.place}`
      if (!findings.has(key)) findings.set(key, suspect)
    }
  }
  const { executions, read, refused, corpus, covered } = total
  const share = `${Math.round(covered * 1000) / 10} % of the guided sources ran`
  console.log(
    `${name}: seed ${seed}, ${seconds} s, ${executions} executions (${read} read, ${refused} refused), corpus ${corpus}, ${share}, ${findings.size} findings`,
  )
  for (const { finding, input } of findings.values()) {
    const folder = join(values.out, name)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12))
    writeFileSync(file, input)
    console.log(`  ${finding.kind} in ${finding.place}: ${finding.message} (${input.length} bytes, ${file})`)
  }
  return findings.size
}

async function ends(target: string, input: Uint8Array): Promise<boolean> {
  const report = await oneThread(target, 0, 0, input)
  return report.done === true
}

function oneThread(target: string, seed: number, seconds: number, only?: Uint8Array): Promise<Report> {
  const shared = new SharedArrayBuffer(8 + maxInput)
  const head = new Int32Array(shared, 0, 2)
  let last: Report = { executions: 0, read: 0, refused: 0, corpus: 0, covered: 0 }
  const thread = new Worker(startWorker, {
    workerData: { target, seed, seconds, shared, only },
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  })
  return new Promise(done => {
    const longest = (only ? 5 : 1) * hangSeconds * 1000
    let count = 0
    let since = performance.now()
    const end = (finding?: FuzzFinding) => {
      clearInterval(timer)
      void thread.terminate()
      const input = new Uint8Array(shared.slice(8, 8 + Math.max(0, head[1] ?? 0)))
      done(finding ? { ...last, findings: [{ finding, input }] } : last)
    }
    const timer = setInterval(() => {
      const now = Atomics.load(head, 0)
      if (now !== count || head[1] === -1 || (now === 0 && !only)) since = performance.now()
      count = now
      if (performance.now() - since > longest)
        end({ kind: 'hang', message: `no end after ${hangSeconds} s`, place: target })
    }, 500)
    thread.on('message', (report: Report) => {
      last = report
      if (report.done) end()
    })
    thread.on('error', (error: Error & { code?: string }) =>
      end({ kind: error.code === noMemory ? 'memory' : 'crash', message: error.message, place: target }),
    )
  })
}
