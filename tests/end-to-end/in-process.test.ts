import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { profiles } from '../../src/config/profiles.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { modelFixture } from '../contracts/model-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-in-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const video = join(folder, 'clip.mp4')
const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=4:d=4', '-f', 'lavfi', '-i', 'sine=f=700:r=16000:d=4']
execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-shortest', video])

const embedded = Object.entries(profiles.embedded)
const flags = [
  'profile=onnx',
  'index.level=quick',
  // What perceives stays embedded here: its models have tests of their own.
  ...embedded.flatMap(([role, { backend }]) =>
    profiles.onnx[role as keyof typeof profiles.onnx].backend === 'onnx' && role !== 'embedText'
      ? [`models.${role}.folder=${modelFixture('gemma3n')}`, `models.${role}.device=cpu`]
      : [`models.${role}.backend=${backend}`],
  ),
  ...['planner', 'writer', 'verifier', 'vision', 'judge'].flatMap(role => [`models.${role}.kind=vision`]),
  'models.planner.toolMode=native', // which its template drops: in words they are ten thousand tokens of such a small vocabulary
  'budget.steps=2',
]

test('profile onnx: every role of the agent in this process. A model of random weights abstains or cites what it saw', async () => {
  const config = await resolveConfig({ cwd: folder, environment: {}, flags: { set: flags } })
  expect(config.settings.models.listen.backend).toBe('onnx')
  const runtime = await createRuntime({ config, home: join(folder, 'home'), environment: {} })
  try {
    const { answer, evidence } = await runtime.questions.ask(video, { text: 'What is heard?' })
    const ledger = new Set(evidence.map(row => row.id))
    for (const sentence of answer.sentences) for (const id of sentence.cites) expect(ledger.has(id)).toBe(true)
    expect(answer.abstained || answer.sentences.some(sentence => sentence.cites.length > 0)).toBe(true)
  } finally {
    await runtime.close()
  }
})
