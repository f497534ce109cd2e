import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Answer } from '../core/agent.ts'
import { StorageError } from '../core/errors.ts'
import { openSessions } from './sessions.ts'

const video = { id: 'v1', path: '/talk.mp4', name: 'talk.mp4', duration: 60 }
const answer = (text: string): Answer => ({ text, sentences: [], confidence: 1, abstained: false, degraded: [] })

function store() {
  return openSessions(mkdtempSync(join(tmpdir(), 'longtake-sessions-')))
}

async function withTurns(count: number) {
  const sessions = store()
  await sessions.create('talk', video)
  for (let turn = 1; turn <= count; turn++)
    await sessions.append('talk', {
      question: { text: `question ${turn}` },
      answer: answer(`answer ${turn}`),
      run: `r${turn}`,
    })
  return sessions
}

test('a session is read back as it was kept, turn by turn', async () => {
  const sessions = await withTurns(2)
  const { turns, video: about } = await openSessions(join((await sessions.read('talk')).file, '..', '..')).read('talk')
  expect(about).toEqual(video)
  expect(turns.map(({ turn, question, run }) => [turn, question.text, run])).toEqual([
    [1, 'question 1', 'r1'],
    [2, 'question 2', 'r2'],
  ])
})

test('a fork begins with the turns up to the one it was made at, and goes its own way', async () => {
  const sessions = await withTurns(3)
  await sessions.fork('talk', 2, 'other')
  await sessions.append('other', { question: { text: 'another' }, answer: answer('x') })
  expect((await sessions.read('other')).turns.map(({ question }) => question.text)).toEqual([
    'question 1',
    'question 2',
    'another',
  ])
  expect((await sessions.read('other')).from).toEqual({ session: 'talk', turn: 2 })
  expect((await sessions.read('talk')).turns).toHaveLength(3)
})

test('the session that was used last comes first', async () => {
  const sessions = await withTurns(1)
  await sessions.create('later', video)
  await sessions.append('talk', { question: { text: 'again' }, answer: answer('x') })
  expect((await sessions.list()).sessions.map(({ name }) => name)).toEqual(['talk', 'later'])
})

test('a line that a killed process left half written is no turn, and the next one is whole', async () => {
  const sessions = await withTurns(1)
  const { file } = await sessions.read('talk')
  appendFileSync(file, '{"turn":2,"asked":"20')
  expect((await sessions.read('talk')).turns).toHaveLength(1)
  await sessions.append('talk', { question: { text: 'second' }, answer: answer('x') })
  expect((await sessions.read('talk')).turns.map(({ turn }) => turn)).toEqual([1, 2])
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) JSON.parse(line)
})

test.each([
  ['../evil', /is not a valid session name/],
  ['\u{20000}'.repeat(64), /is not a valid session name/], // longer than the name of a file may be
  ['', /is not a valid session name/],
  ['a/b', /is not a valid session name/],
])('"%s" cannot leave the folder', async (name, says) => {
  await expect(store().create(name, video)).rejects.toThrow(says)
})

test('what is not there, is there already, or lies past the end is said with the next step', async () => {
  const sessions = await withTurns(1)
  await expect(sessions.read('tallk')).rejects.toMatchObject({ hint: expect.stringContaining('"talk"') })
  await expect(sessions.create('talk', video)).rejects.toThrow(/already/)
  await expect(sessions.fork('talk', 2, 'x')).rejects.toThrow(/1 turns/)
  await sessions.remove('talk')
  expect(await sessions.list()).toEqual({ sessions: [], damaged: [] })
})

test('a session of a newer longtake is left alone and said so', async () => {
  const sessions = await withTurns(0)
  const { file } = await sessions.read('talk')
  const { writeFileSync } = await import('node:fs')
  writeFileSync(file, '{"format":2,"session":"talk"}\n')
  await expect(sessions.read('talk')).rejects.toThrow(/newer longtake/)
})

test('a damaged session hides no other, and is named', async () => {
  const sessions = await withTurns(1)
  const folder = dirname((await sessions.read('talk')).file)
  writeFileSync(join(folder, 'bad.jsonl'), 'x\n')
  writeFileSync(join(folder, 'torn.jsonl'), 'x')
  writeFileSync(join(folder, 'newer.jsonl'), '{"format":99}\n')
  writeFileSync(join(folder, 'headless.jsonl'), '{"turn":1,"asked":"","question":{"text":"x"}}\n')
  writeFileSync(join(folder, 'a name.jsonl'), '')
  mkdirSync(join(folder, 'folder.jsonl'))
  symlinkSync('loop.jsonl', join(folder, 'loop.jsonl'))
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
  const { sessions: whole, damaged } = await sessions.list()
  expect(whole.map(({ name }) => name)).toEqual(['talk'])
  expect(damaged.map(({ name }) => name)).toEqual([
    'a name',
    'bad',
    'folder',
    'headless',
    'loop',
    'newer',
    'pipe',
    'torn',
  ])
  for (const name of ['loop', 'pipe']) await expect(sessions.read(name)).rejects.toThrow(StorageError)
})
