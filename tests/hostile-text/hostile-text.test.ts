import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readTextCalls } from '../../models/chat/adapter/text-calls.ts'
import { splitThinking } from '../../models/chat/adapter/thinking.ts'
import { bestLines } from '../../models/read-text/best-lines.ts'
import { UsageError } from '../../src/core/errors.ts'
import { stamp } from '../../src/core/evidence.ts'
import { safeJson, visibleFileName, visibleLine, visibleText } from '../../src/core/words/visible-text.ts'
import { decodeText } from '../../src/media/encodings/decode-text.ts'
import { parseSubtitles } from '../../src/media/subtitles/parse-subtitles.ts'
import { parseTimedText } from '../../src/media/subtitles/read-sidecar.ts'
import { buildTextIndex, openTextIndex, type TextIndex } from '../../src/search/text-index.ts'
import { indexedText } from '../../src/search/text-words.ts'
import { redactor } from '../../src/store/redact.ts'
import { ordinalValue } from '../../src/text/number-words.ts'
import { checkQuestion } from '../../src/text/question/check-question.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import { tokens } from '../../src/text/words.ts'
import { sameLine } from '../../tools/stages/text/same-line.ts'
import { ask } from '../agent/ask.ts'
import { handMadeIndex, said, shown } from '../agent/hand-made-index.ts'
import { hostileTexts } from './patterns.ts'

let index: TextIndex
beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'longtake-hostile-')), 'words.sqlite')
  const row = (text: string, at: number) =>
    stamp({ span: { start: at, end: at + 1 }, track: 'speech', text }, 'v', 'x/y')
  await buildTextIndex(file, ['one plain row', 'eine weitere Zeile', '北京大学在海淀区'].map(row))
  index = await openTextIndex(file)
})

const lecture = [said(0, 4, 'the bridge cost twenty million euros'), shown(5, 9, 'The bridge\nOpened 1998')]
const box = { x: 0, y: 0, width: 1, height: 0.1 }
const redact = redactor(['a secret of somebody'])

// Every way by which a text of somebody else comes in, and what is made of it.
const paths: Record<string, (text: string) => unknown> = {
  'the bytes of a subtitle file': text => [decodeText(Buffer.from(text)), decodeText(Buffer.from(text, 'latin1'))],
  'a subtitle file': text => parseSubtitles(text),
  'a cue': text => parseSubtitles(`00:01.000 --> 00:02.000\n${text}\n\n00:03.000 --> 00:04.000\n<v A>${text}`),
  'a TTML file': text => parseTimedText(`<tt ${text}><p begin="1s" end="2s">${text}</p><p begin="${text}">`),
  'a line on screen': text =>
    bestLines([
      { text, confidence: 0.9, box },
      { text: `${text}x`, confidence: 0.8, box },
    ]),
  'two readings of a line': text => sameLine({ text, box }, { text: `${text.slice(1)}b c`, box }),
  'a row of the index': text => indexedText(text),
  'the words of a text': text => tokens(text),
  'a number word': text => ordinalValue(text),
  'a search': text => index.search(text, { limit: 5 }),
  'what is written down': text => redact({ [text.slice(0, 1000)]: text, list: [text] }),
  'what is printed': text => [visibleText(text), visibleLine(text), visibleFileName(text), safeJson(text)],
  'the reply of a model': text => [splitThinking(text), readDraft(text), readDraft(`{"sentences": ${text}`)],
  'a tool call of a model': text => readTextCalls(text, [{ name: 'search', description: '', parameters: {} }]),
  'times in a sentence': text => statedTimes(text),
  'a question that is too long': text => {
    expect(() => checkQuestion({ text })).toThrow(UsageError)
  },
}

const seconds = 1

// Seconds of the processor: what others do on this machine does not count.
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

test.each(Object.entries(paths))('%s of 100,000 characters takes less than a second', async (_, path) => {
  await path(hostileTexts[0]![1])
  const slow: string[] = []
  for (const [name, text] of hostileTexts) {
    const spent = await timeOf(() => path(text))
    if (spent >= seconds) slow.push(`${name}: ${spent.toFixed(1)} s`)
  }
  expect(slow).toEqual([])
})

test('the longest question that is read takes less than a second', async () => {
  const video = handMadeIndex({ duration: 10, rows: lecture })
  await ask(video, 'What did the bridge cost?')
  const slow: string[] = []
  for (const [name, text] of hostileTexts) {
    const spent = await timeOf(() => ask(video, text.slice(0, 20_000)))
    if (spent >= seconds) slow.push(`${name}: ${spent.toFixed(1)} s`)
  }
  expect(slow).toEqual([])
})

test('a question about rows of such text takes less than a second', async () => {
  await ask(handMadeIndex({ duration: 10, rows: lecture }), 'What did the bridge cost?')
  const slow: string[] = []
  for (const [name, text] of hostileTexts) {
    const piece = text.slice(0, 2000)
    const rows = [...lecture, said(1, 2, `the bridge ${piece}`.slice(0, 2000)), said(3, 4, piece), shown(5, 6, piece)]
    const video = handMadeIndex({ duration: 10, rows })
    const spent = await timeOf(() => ask(video, 'What did the bridge cost before it opened?'))
    if (spent >= seconds) slow.push(`${name}: ${spent.toFixed(1)} s`)
  }
  expect(slow).toEqual([])
})
