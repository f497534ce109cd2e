import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findArchives } from '../../src/store/archive/find-archives.ts'
import { openArchive } from '../../src/store/archive/open-archive.ts'
import { startOllamaServer } from '../servers/ollama-server.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { model, says } from './sent-requests.ts'

const choice = (id: string, options?: string[]) => ({
  question_id: id,
  question: 'Which order?',
  ...(options && { options }),
})
const lists = ['["a", "b"]', '["b", "a"]', "I don't know"]
const skills = {
  scene_transitions: [choice('s9', lists), choice('s10', lists)],
  summarization: [{ question_id: 'm1', question: 'What happens?' }],
}

function annotations(line: CommandLine, of: object = skills): string {
  const folder = join(line.cwd, 'test')
  mkdirSync(folder, { recursive: true })
  for (const [skill, rows] of Object.entries(of)) writeFileSync(join(folder, `${skill}.json`), JSON.stringify(rows))
  return folder
}

const names = {
  scene_transitions: { file: 'mcq/scenes.json', key: 'question_id' },
  summarization: { file: 'open.json', key: 'question_id' },
}

// A run on data without keys, blind, so that no video is needed; everything is answered alike.
async function ran(
  line: CommandLine,
  data: string,
  reply: string,
  out = 'run',
  asked = [...model, ...says(reply)],
): Promise<string> {
  const folder = join(line.cwd, out)
  const run = await line.run(
    ...['bench', 'run', 'infinibench', '--data', data, '--out', folder, ...asked],
    ...['--option', 'frames=0', '--option', 'subtitles=off', '--judge', 'off'],
  )
  expect(run.code, run.stderr).toBe(0)
  return folder
}

const codabench = ['--form', 'codabench', '--challenge', 'names.json']

describe('bench export --form codabench', () => {
  test('writes a zip that other readers open, the same to the byte, with whole numbers for choices', async () => {
    const line = commandLine({}, { PATH: process.env.PATH })
    const run = await ran(line, annotations(line), '1')
    const bare = await line.run('bench', 'export', run, '--out', 'zip', '--form', 'codabench')
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringMatching(/not public here[\s\S]*--challenge/)])
    writeFileSync(join(line.cwd, 'names.json'), JSON.stringify(names))
    for (const out of ['one', 'two']) {
      const exported = await line.run('bench', 'export', run, '--out', out, '--name', 'ours', ...codabench)
      expect(exported.code, exported.stderr).toBe(0)
    }
    const bytes = (out: string) => readFileSync(join(line.cwd, out, 'ours.zip'))
    expect(bytes('one').equals(bytes('two'))).toBe(true)
    const [found] = await findArchives(join(line.cwd, 'one'))
    const files = new Map<string, unknown>()
    const archive = await openArchive(found!)
    await archive.each(new Set(archive.members.map(({ name }) => name)), async (member, content) => {
      let text = ''
      for await (const piece of content) text += Buffer.from(piece).toString()
      files.set(member.name, JSON.parse(text))
    })
    expect([...files]).toEqual([
      ['mcq/scenes.json', { s9: 1, s10: 1 }],
      ['open.json', { m1: '1' }],
    ])
    const python = spawnSync('python3', ['-c', readZip, join(line.cwd, 'one', 'ours.zip')], { encoding: 'utf8' })
    if (python.error === undefined) expect(JSON.parse(python.stdout)).toEqual([null, ['mcq/scenes.json', 'open.json']])
  })

  test('refuses what the site cannot take: options withheld, questions without a prediction, names that do not fit', async () => {
    const line = commandLine({}, { PATH: process.env.PATH })
    const refused = async (run: string, given: unknown) => {
      writeFileSync(join(line.cwd, 'names.json'), JSON.stringify(given))
      const { code, stderr } = await line.run('bench', 'export', run, '--out', 'zip', ...codabench)
      expect(code).toBe(2)
      return stderr
    }
    const bare = { ...skills, scene_transitions: [choice('s1')] }
    const publicTest = await ran(line, annotations(line, bare), '1', 'public')
    expect(await refused(publicTest, names)).toMatch(/1 of 1 questions of scene_transitions have no options/)
    const unread = await ran(line, annotations(line), 'no idea', 'unread')
    expect(await refused(unread, names)).toMatch(/no prediction for s9 of scene_transitions/)
    const { summarization: _, ...one } = names
    expect(await refused(unread, one)).toMatch(/must name every skill of the run: summarization/)
    expect(await refused(unread, { ...names, actions: names.summarization })).toMatch(/names the skill "actions"/)
    const out = { ...names, summarization: { file: '../open.json', key: 'question_id' } }
    expect(await refused(unread, out)).toMatch(/names the file "\.\.\/open\.json"/)
    const nameless = { ...names, summarization: { file: 'open.json', key: 'qid' } }
    const missing = { ...names.scene_transitions, missing: -1 }
    expect(await refused(unread, { ...nameless, scene_transitions: missing })).toMatch(/m1\) has no field "qid"/)
    writeFileSync(join(line.cwd, 'names.json'), JSON.stringify({ ...names, scene_transitions: missing }))
    const { code } = await line.run('bench', 'export', unread, '--out', 'filled', '--name', 'm', ...codabench)
    expect(code).toBe(0)
    expect(readFileSync(join(line.cwd, 'filled', 'm.zip'), 'utf8')).toMatch(/"s9": -1,\s+"s10": -1/)
    const elsewhere = await line.run('bench', 'export', unread, '--out', 'x', '--challenge', 'names.json')
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringMatching(/--challenge has no effect/)])
  })
})

const readZip = `
import json, sys, zipfile
read = zipfile.ZipFile(sys.argv[1])
print(json.dumps([read.testzip(), read.namelist()]))`

test('the card of a run names what another needs, and its command is one that runs', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = annotations(line, {
    scene_transitions: [
      { ...choice('s1', lists), answer_idx: 1 },
      { ...choice('s2', lists), answer_idx: 0 },
    ],
  })
  const run = await ran(line, data, '1')
  const exported = await line.run('bench', 'export', run, '--out', 'card', '--form', 'card')
  expect(exported.code, exported.stderr).toBe(0)
  const card = JSON.parse(readFileSync(join(line.cwd, 'card', 'card.json'), 'utf8'))
  const environment = JSON.parse(readFileSync(join(run, 'environment.json'), 'utf8'))
  expect(card).toMatchObject({
    ...{ format: 2, benchmark: 'infinibench', split: 'test', asked: 'alone', judge: null },
    data: { questions: 2, questionsHash: environment.dataHash },
    ...{ settingsHash: environment.settingsHash, seeds: { intervals: 1 }, finished: expect.stringMatching(/^2/) },
    departures: expect.arrayContaining([expect.stringMatching(/^frames 0/)]),
    models: { vision: { model: expect.stringMatching(/^scripted/), digest: null } },
    coverage: { samples: 2, done: 2, failed: 0, unjudged: 0 },
    scores: {
      strict: [{ task: 'answer', n: 2, mean: 50, low: expect.any(Number), high: expect.any(Number), chance: 100 / 3 }],
      metrics: { strict: { accuracy: 50 }, official: { accuracy: 50 } },
    },
  })
  const page = readFileSync(join(line.cwd, 'card', 'card.md'), 'utf8')
  expect(page).toContain(environment.dataHash)
  expect(page).toMatch(/\| answer \| 2 \| 50\.0 \| \d+\.\d to \d+\.\d \| 33\.3 \|/)
  expect(page + JSON.stringify(card)).not.toContain(line.cwd)
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${card.command}`], { encoding: 'utf8' }).split('\n')
  const again = await line.run(...words.slice(1, -1), '--out', 'again')
  expect(again.code, again.stderr).toBe(0)
  const repeated = JSON.parse(readFileSync(join(line.cwd, 'again', 'environment.json'), 'utf8'))
  expect(repeated).toMatchObject({ dataHash: card.data.questionsHash, settingsHash: card.settingsHash })
})

test('a run is a log of Inspect, and official scores of a whole run are a file for the hub', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = annotations(line, {
    scene_transitions: [1, 0].map((answer_idx, i) => ({ ...choice(`s${i}`, lists), answer_idx })),
  })
  const run = await ran(line, data, '1')
  const exported = await line.run(
    'bench',
    'export',
    run,
    '--out',
    'inspect',
    '--form',
    'inspect',
    '--name',
    'me/seer',
    '--json',
  )
  const [file = ''] = JSON.parse(exported.stdout).files
  const log = JSON.parse(readFileSync(join(line.cwd, 'inspect', file), 'utf8'))
  expect(log).toMatchObject({
    ...{ version: 2, status: 'success', eval: { task: 'infinibench-test', model: 'me/seer' } },
    results: { scores: [{ name: 'answer', metrics: { mean: { value: 0.5 } } }, { name: 'answer (official)' }] },
    samples: [
      { id: 's0', choices: lists, scores: { answer: { value: 1, answer: '1' } }, output: { completion: '1' } },
      { id: 's1', scores: { answer: { value: 0 }, 'answer (official)': { value: 0 } } },
    ],
  })
  expect(await line.run('bench', 'export', run, '--out', '.', '--form', 'hub')).toMatchObject({ code: 0 })
  const scores = readFileSync(join(line.cwd, '.eval_results', 'infinibench.yaml'), 'utf8')
  expect(scores).toMatch(/id: "Vision-CAIR\/InfiniBench"\n +task_id: "accuracy".*\n +value: 50\n/)
  const [first = ''] = readFileSync(join(run, 'samples.jsonl'), 'utf8').split('\n')
  writeFileSync(join(run, 'samples.jsonl'), `${first}\n`)
  const part = await line.run('bench', 'export', run, '--out', '.', '--form', 'hub')
  expect([part.code, part.stderr]).toEqual([2, expect.stringContaining('1 of 2 questions were answered')])
})

test('the card has the digest of a model that its server told when the run began, and with another no run goes on', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const server = await startOllamaServer({ models: { 'seer:4b': ['completion', 'vision'] } })
  try {
    const run = await ran(line, annotations(line), '1', 'served', [
      ...['--profile', 'embedded', '--by', 'alone'],
      ...['--set', 'models.vision.backend=ollama', '--set', 'models.vision.model=seer:4b'],
      ...['--set', `models.vision.url=${server.url}`],
    ])
    await line.run('bench', 'export', run, '--out', 'card', '--form', 'card')
    const { models } = JSON.parse(readFileSync(join(line.cwd, 'card', 'card.json'), 'utf8'))
    expect(models.vision).toEqual({ model: 'ollama/seer:4b', digest: 'sha256:seer:4b' })
    expect(readFileSync(join(line.cwd, 'card', 'card.md'), 'utf8')).toContain('sha256:seer:4b')
    // As if other weights had been there under that name when the run began, or none had told.
    const environment = JSON.parse(readFileSync(join(run, 'environment.json'), 'utf8'))
    const resumed = async (digests?: object) => {
      writeFileSync(join(run, 'environment.json'), JSON.stringify({ ...environment, digests }))
      return line.run('bench', 'run', 'infinibench', '--resume', run)
    }
    expect(await resumed({ vision: 'sha256:old' })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /another run .*digests\.vision: "sha256:old", now "sha256:seer:4b"[\s\S]*begin a new run/,
      ),
    })
    for (const digests of [{ writer: 'sha256:old' }, undefined])
      expect(await resumed(digests)).toMatchObject({ code: 0 })
  } finally {
    await server.close()
  }
})
