import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatModel } from '../../src/core/chat.ts'
import type { Detection, Detector, FaceFinder, TextReader, Transcriber } from '../../src/core/services.ts'
import type { ToolContext, ToolServices } from '../../src/core/tool.ts'
import { runMemory } from '../../src/runtime/tools/memory.ts'
import { handMadeContext, handMadeIndex } from '../../tests/agent/hand-made-index.ts'
import { museum } from '../../tests/agent/museum.ts'
import { longshotToolFiles } from '../index.ts'
import { mathLines } from './extract-math-exp.ts'

const index = handMadeIndex(museum)
const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 }
const frames = async (times: number[]) =>
  times.map(time => ({ time, width: 2, height: 2, rgb: new Uint8Array(12).fill(128) }))

async function run(
  name: string,
  input: unknown,
  services: Partial<ToolServices> = {},
  more: Partial<ToolContext> = {},
) {
  const { default: tool } = await longshotToolFiles[name]!()
  return tool.run(tool.input.parse(input), { ...handMadeContext(index, services), frames, ...more })
}

// Table 5 of the paper: the parameters, "?" for what may be left out.
const paper: Record<string, string[]> = {
  transcribe_speech: ['timestamp', 'language?'],
  extract_scene_text: ['timestamp', 'language?'],
  count_objects: ['timestamp', 'object_query'],
  object_detection: ['timestamp', 'categories'],
  extract_math_exp: ['timestamp', 'language?'],
  calculator: ['expression'],
  web_search: ['query', 'num_results?'],
  detect_audio_events: ['timestamp'],
  execute_code: ['code', 'language', 'inputs?'],
  detect_activities: ['timestamp'],
  summarize_segment: ['timestamp', 'text', 'length'],
  detect_faces: ['timestamp'],
  cross_modal_search: ['query', 'modalities', 'k?'], // its default is 5
  memory_tool: ['func', 'data'],
  translate_speech: ['timestamp', 'from_lang', 'to_lang'],
  translate_text: ['text', 'from_lang', 'to_lang'],
}

describe('the sixteen tools of LongShOTBench', () => {
  test('have its names and its parameters, and no others', async () => {
    expect(Object.keys(longshotToolFiles)).toEqual(Object.keys(paper))
    for (const [name, load] of Object.entries(longshotToolFiles)) {
      const { default: tool } = await load()
      const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as {
        properties: Record<string, { description?: string }>
        required?: string[]
      }
      const parameters = Object.keys(schema.properties).map(one => (schema.required?.includes(one) ? one : `${one}?`))
      expect([name, parameters]).toEqual([name, paper[name]])
    }
  })

  test('run nothing dangerous without a permission', async () => {
    const marked = await Promise.all(Object.values(longshotToolFiles).map(async load => (await load()).default))
    expect(marked.filter(tool => tool.danger).map(tool => [tool.name, tool.danger])).toEqual([
      ['web_search', 'network'],
      ['execute_code', 'code'],
    ])
  })

  test.each(['count_objects', 'object_detection', 'detect_faces', 'detect_activities'])(
    '%s says what it needs when it is missing, and how to get it',
    async name => {
      const input = { timestamp: '0:10-0:20', object_query: 'dog', categories: ['dog'] }
      const failed = await run(name, input).then(
        () => undefined,
        error => error,
      )
      expect(failed?.message).toMatch(/needs .*vision model.*vision is off/)
      expect(failed?.hint).toContain('Set models.vision')
    },
  )
})

describe('speech', () => {
  const audio = async () => ({ duration: 240, rate: 16000 as const, read: async () => new Float32Array(0) })
  const heard: { language?: string }[] = []
  const service: Transcriber = {
    async *transcribe({ spans, language }) {
      heard.push({ language })
      yield { span: { start: spans[0]!.start, end: spans[0]!.start + 1 }, track: 'speech', text: 'heard again' }
    },
  }
  const retranscribe = async () => ({ by: 'transcribe/large', service })

  test('is listened to again, in the language that was named', async () => {
    const found = await run(
      'transcribe_speech',
      { timestamp: '00:10-00:20', language: 'de' },
      { retranscribe },
      { audio },
    )
    expect(found.evidence).toMatchObject([
      { text: 'heard again', by: 'transcribe/large', span: { start: 10, end: 11 } },
    ])
    expect(heard).toEqual([{ language: 'de' }])
  })

  test('comes from the index where nothing can listen again, and that is said', async () => {
    const found = await run('transcribe_speech', { timestamp: '00:00-02:00' }, {}, { audio })
    expect(found.evidence.length).toBeGreaterThan(3)
    expect(found.evidence.every(row => row.track === 'speech' && row.span.start < 120)).toBe(true)
    expect(found.text).toMatch(/transcript of the index/)
  })

  test('is not listened to again by what made the index', async () => {
    heard.length = 0
    const same = async () => ({ by: 'transcribe/same', service, madeIndex: true })
    const found = await run('transcribe_speech', { timestamp: '00:02-00:10' }, { retranscribe: same }, { audio })
    expect(found.text).toMatch(/same recogniser \(transcribe\/same\)/)
    expect([found.evidence.length, heard]).toEqual([2, []])
  })

  test('is translated by a language model from inside a fence, or not at all', async () => {
    const input = { timestamp: '00:10-00:20', from_lang: 'en', to_lang: 'French' }
    const writer = async () => ({ by: 'chat/tester', service: says('bonjour', prompts) })
    const prompts: string[] = []
    const found = await run('translate_speech', input, { retranscribe, writer }, { audio })
    expect(found.evidence[0]).toMatchObject({ track: 'claim', text: 'In French: bonjour', by: 'chat/tester' })
    expect(found.evidence[1]!.text).toBe('heard again')
    expect(prompts[0]).toContain('<data text>\nheard again\n</data>')
    const rules = async () => ({ by: 'chat/rules', service: { ...says(''), accepts: new Set<never>() } })
    await expect(
      run('translate_text', { text: 'a', from_lang: 'en', to_lang: 'fr' }, { writer: rules }),
    ).rejects.toThrow(/translate_text needs a language model/)
    heard.length = 0
    await expect(run('translate_speech', input, { retranscribe, writer: rules }, { audio })).rejects.toThrow(
      /language model/,
    )
    expect(heard).toEqual([]) // nothing is listened to for a translation that cannot be made
  })
})

test('a translation that the model did not end says so, and a long text has room for a long one', async () => {
  const limits: (number | undefined)[] = []
  const service: ChatModel = {
    ...says('le début'),
    async reply({ maxTokens }) {
      limits.push(maxTokens)
      return {
        text: 'le début',
        calls: [],
        stop: 'length',
        usage: { inputTokens: 1, outputTokens: 1 },
        model: 'tester',
      }
    },
  }
  const writer = async () => ({ by: 'chat/tester', service })
  const found = await run('translate_text', { text: 'a '.repeat(5000), from_lang: 'en', to_lang: 'fr' }, { writer })
  expect(found.text).toBe(
    'In fr, by chat/tester: le début The model stopped in the middle, at its longest reply; ask for shorter pieces.',
  )
  expect(limits).toEqual([5000])
})

describe('what is seen', () => {
  const detections = (time: number): Detection[] =>
    time < 12
      ? [{ label: 'dog', confidence: 0.5, box }]
      : [
          { label: 'dog', confidence: 0.9, box },
          { label: 'dog', confidence: 0.7, box },
        ]
  const detector: Detector = {
    detect: async (given, labels) =>
      given.map(frame => detections(frame.time).filter(one => labels.includes(one.label))),
  }
  const detect = async () => ({ by: 'detect/tester', service: detector })

  test('is counted as the most that one frame shows', async () => {
    const found = await run('count_objects', { timestamp: '0:10-0:20', object_query: 'dog' }, { detect })
    expect(found.evidence).toMatchObject([{ by: 'detect/tester', span: { start: 10, end: 20 } }])
    expect(found.evidence[0]!.text).toMatch(/^2 of "dog" at once at most/)
    const none = await run('count_objects', { timestamp: '0:10-0:20', object_query: 'cat' }, { detect })
    expect(none).toMatchObject({ evidence: [], text: expect.stringContaining('0 of "cat"') })
  })

  test('is placed on the picture, and what was not found is named', async () => {
    const found = await run('object_detection', { timestamp: '0:10-0:20', categories: 'dog, cat' }, { detect })
    expect(found.evidence).toMatchObject([{ box, confidence: 0.9 }])
    expect(found.text).toMatch(/Not found in 8 frames: cat/)
  })

  test('faces are named where their pictures are known, and only counted else', async () => {
    const finder: FaceFinder = {
      people: ['Ada'],
      faces: async given =>
        given.map(() => [
          { box, confidence: 0.9, person: 'Ada', likeness: 0.8 },
          { box, confidence: 0.6 },
        ]),
    }
    const found = await run(
      'detect_faces',
      { timestamp: '0:10' },
      { faces: async () => ({ by: 'faces/tester', service: finder }) },
    )
    expect(found.evidence.slice(0, 2).map(row => row.text)).toEqual([
      'Ada, known by face (likeness 0.80) at 0:10',
      'face 1 of 1 at 0:10, not recognised',
    ])
  })

  test('mathematics is told from words, times and prices', async () => {
    expect(
      mathLines('Energy: E = mc^2\nThe weather today\n12:30\n3x + 5 > 20\nwww.a-b.com\n2024-05-01\nf(x) = sin(x) + 1'),
    ).toEqual(['E = mc^2', '3x + 5 > 20', 'f(x) = sin(x) + 1'])
    const reader: TextReader = {
      read: async given => given.map(() => [{ text: 'a^2 + b^2 = c^2', confidence: 0.9, box }]),
    }
    const readText = async () => ({ by: 'read-text/tester', service: reader })
    const found = await run('extract_math_exp', { timestamp: '0:10' }, { readText })
    expect(found.text).toBe('Expressions as read: "a^2 + b^2 = c^2".')
    expect(found.evidence[0]!.track).toBe('text')
  })
})

describe('a segment and the whole', () => {
  test('a summary without a language model is the lines that say most, and that is said', async () => {
    const writer = async () => ({ by: 'chat/rules', service: { ...says(''), accepts: new Set<never>() } })
    const found = await run('summarize_segment', { timestamp: 'whole video', text: '', length: 20 }, { writer })
    expect(found.evidence.length).toBeGreaterThan(0)
    expect(found.evidence.length).toBeLessThan(6)
    expect(found.text).toMatch(/no language model/)
    const written = async () => ({ by: 'chat/tester', service: says('A short summary.') })
    const other = await run(
      'summarize_segment',
      { timestamp: '0:00-1:00', text: '', length: 'short' },
      { writer: written },
    )
    expect(other.evidence).toMatchObject([{ track: 'summary', text: 'A short summary.', by: 'chat/tester' }])
  })

  test('modalities are understood by many names', async () => {
    const speech = await run('cross_modal_search', { query: 'lisbon', modalities: ['speech'] })
    expect(speech.evidence.every(row => row.track === 'speech')).toBe(true)
    const all = await run('cross_modal_search', { query: 'lisbon', modalities: 'transcript, OCR, images' })
    expect(all.evidence.length).toBeGreaterThanOrEqual(speech.evidence.length)
    await expect(run('cross_modal_search', { query: 'x', modalities: ['smell'] })).rejects.toThrow()
  })
})

describe('notes', () => {
  test('say which round made them and which rows they rest on; without rows they are claims', async () => {
    const memory = runMemory()
    const [row] = index.evidence()
    const more = { memory, round: 2 }
    const kept = await run(
      'memory_tool',
      { func: 'add', data: `the tour starts then (${row!.id}, s0000000000)` },
      {},
      more,
    )
    expect(kept.text).toContain(`rests on ${row!.id}`)
    expect(kept.evidence).toEqual([row])
    const claim = await run('memory_tool', { func: 'add', data: { colour: 'red' } }, {}, more)
    expect(claim.text).toMatch(/a claim: rests on no row/)
    const found = await run('memory_tool', { func: 'search', data: 'when does the tour start' }, {}, more)
    expect(found.text).toMatch(/round 3/)
    expect(found.evidence).toEqual([row])
    const [note] = memory.search('red')
    expect((await run('memory_tool', { func: 'delete', data: note!.id }, {}, more)).text).toMatch(/success/)
    await expect(run('memory_tool', { func: 'delete', data: note!.id }, {}, more)).rejects.toThrow(/There is no note/)
    expect((await run('memory_tool', { func: 'search', data: 'nothing here' }, {}, more)).outcome).toBe('nothing')
  })

  test('do not grow without end', async () => {
    const memory = runMemory()
    for (let i = 0; i < 200; i++) memory.add(`note ${i}`, 'x')
    await expect(run('memory_tool', { func: 'add', data: 'more' }, {}, { memory })).rejects.toThrow(/200 notes already/)
    await expect(run('memory_tool', { func: 'add', data: 'x'.repeat(3000) }, {}, { memory })).rejects.toThrow(
      /limit is 2000/,
    )
  })
})

describe('execute_code', () => {
  test('counts over the evidence, and hands back the rows whose ids it prints', async () => {
    const known = () => index.evidence()
    const code =
      'const said = evidence.filter(r => r.track === "speech"); console.log(said.length, inputs.n); said[0].id'
    const found = await run('execute_code', { code, language: 'JavaScript', inputs: { n: 3 } }, {}, { known })
    const said = index.evidence({ tracks: ['speech'] })
    expect(found.text).toContain(`stdout:\n${said.length} 3`)
    expect(found.evidence).toEqual([said[0]])
    await expect(run('execute_code', { code: 'print(1)', language: 'python' })).rejects.toThrow(
      /runs javascript, not "python"/,
    )
  })
})

function says(text: string, prompts: string[] = []): ChatModel {
  return {
    id: 'chat/tester',
    accepts: new Set(['text']),
    async reply(request) {
      prompts.push(
        request.messages
          .flatMap(one => one.content.map(part => (part.type === 'text' ? part.text : '')))
          .slice(1)
          .join('\n'),
      )
      return { text, calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'tester' }
    },
  }
}
