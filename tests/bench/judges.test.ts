import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { model, says } from './sent-requests.ts'
import { film, quickIndex, smallData } from './small-data.ts'

const quick = ['--profile', 'embedded', ...quickIndex]
const judged = (replies: unknown[]) => [
  ...['--set', 'models.judge.backend=scripted', '--set', `models.judge.replies=${JSON.stringify(replies)}`],
  ...['--set', 'models.judge.atEnd=cycle'],
]
const verdict = (result: number) => `\`\`\`json\n{"result": ${result}}\n\`\`\``

describe('runs that are judged again', () => {
  let line: CommandLine
  let data: string
  const at = (name: string) => join(line.cwd, name)
  const run = (out: string, ...more: string[]) =>
    line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', at(out), '--task', 'open', ...quick, ...more)

  beforeAll(async () => {
    line = commandLine()
    data = smallData(at('data'), { questions: 4 })
    for (const [out, judge] of [
      ['by-words', ['--judge', 'words']],
      ['by-model', judged(['B'])],
    ] as const)
      expect(await run(out, ...judge)).toMatchObject({ code: 0 })
  })

  test('each have their own judge as a rater, over their own answers alone', async () => {
    const agreed = await line.run('bench', 'agree', at('by-words'), at('by-model'), '--judge', 'words', '--json')
    expect(agreed.code, agreed.stderr).toBe(0)
    const [{ raters }] = JSON.parse(agreed.stdout).agreements
    const counts = raters.map(({ name, accuracy }: { name: string; accuracy: { n: number } }) => [name, accuracy.n])
    expect(counts).toEqual([
      ['words', 8], // the judge of four of them, asked about the others
      ['chat/scripted', 4],
    ])
  })

  test('by people: a verdict of words holds in every run that says them, and is refused where it may be of either', async () => {
    const hashes = ['by-words', 'by-model'].map(async run => {
      const sheet = join(line.cwd, `${run}.csv`)
      await line.run('bench', 'agree', at(run), '--sample', '100', '--write', sheet)
      return readFileSync(sheet, 'utf8')
    })
    const [first] = await Promise.all(hashes)
    const [header = '', row = ''] = (first ?? '').split('\n')
    const cells = Object.fromEntries(header.split(',').map((name, place) => [name, row.split(',')[place]]))
    const file = join(line.cwd, 'anna.jsonl')
    const write = (more: object) =>
      writeFileSync(file, JSON.stringify({ id: cells.id, rater: 'anna', verdict: 'A', ...more }))
    const agree = () => line.run('bench', 'agree', at('by-words'), at('by-model'), '--human', file, '--json')
    write({ reply: cells.reply })
    const both = await agree()
    expect(both.code, both.stderr).toBe(0)
    const [{ raters }] = JSON.parse(both.stdout).agreements
    expect(raters.find(({ name }: { name: string }) => name === 'anna')).toMatchObject({ accuracy: { n: 2 } })
    write({})
    expect(await agree()).toMatchObject({ code: 2, stderr: expect.stringContaining('is in several of the runs') })
  })

  test('by people leave the result in each run, as one row of the table of judges and raters', async () => {
    const file = join(line.cwd, 'cara.csv')
    const verdicts = ['by-words', 'by-model'].flatMap(run => [0, 1].map(id => `${run},${id},cara,${'AB'[id]}`))
    writeFileSync(file, `run,id,rater,verdict\n${verdicts.join('\n')}\n`)
    const runs = [at('by-words'), at('by-model')]
    const agreed = await line.run('bench', 'agree', ...runs, '--human', file)
    expect(agreed.code, agreed.stderr).toBe(0)
    expect(agreed.stdout).toContain('agreement.json')
    const table = async (...of: string[]) => {
      const { stdout } = await line.run('bench', 'report', ...of, '--table', 'videoeval-pro:5', '--json')
      return JSON.parse(stdout).tables[0] as { columns: string[]; rows: string[][]; notes: string[] }
    }
    const both = await table(...runs)
    expect(both.columns).toEqual(['', '2 runs, words *a (words)', '2 runs, chat/scripted *b', 'LLM and raters'])
    expect(both).toEqual(await table(runs[1]!))
    const accuracies = Object.fromEntries(both.rows.map(([name, , own]) => [name, own]))
    expect(accuracies).toMatchObject({ 'Acc. LLM (%)': '0', 'Acc. R1 (%)': '50', 'Acc. MV (%)': '-' })
    const page = await line.run('bench', 'report', runs[1]!)
    expect(page.stdout).toContain('videoeval-pro:5')
    writeFileSync(file, 'run,id,rater,verdict\n')
    expect((await line.run('bench', 'agree', ...runs, '--human', file, '--judge', 'words')).stdout).not.toContain(
      'agreement.json',
    )
    expect(await table(runs[1]!)).toEqual(both)
  })

  test('leave out what cannot be read as a verdict, say so, and ask for it anew the next time', async () => {
    const mumbling = judged(['hm'])
    const first = await line.run('bench', 'judges', at('by-words'), '--judge', 'model', '--json', ...mumbling)
    expect(first.code).toBe(6)
    expect(JSON.parse(first.stdout).runs[0].unjudged).toEqual([4])
    const partly = judged(['A', 'hm', 'hm', 'hm'])
    const second = await line.run('bench', 'judges', at('by-words'), '--judge', 'model', '--json', ...partly)
    expect(second.code).toBe(6)
    expect(JSON.parse(second.stdout).runs[0]).toMatchObject({ unjudged: [2], scores: [100] })
    const clear = judged(['A'])
    const third = await line.run('bench', 'judges', at('by-words'), '--judge', 'model', '--json', ...clear)
    expect(third.code, third.stderr).toBe(0)
    expect(JSON.parse(third.stdout)).toMatchObject({
      forecast: [{ verdicts: 2 }],
      runs: [{ unjudged: [0], scores: [100] }],
    })
  })

  test('are checked by their own judge, and a check whose replies were all there keeps its date', async () => {
    const calibrate = (...more: string[]) => line.run('bench', 'judges', '--calibrate', '--json', ...more)
    const words = await calibrate(at('by-words'), ...judged(['A']))
    expect(JSON.parse(words.stdout).checks).toMatchObject([{ judge: 'words' }])
    expect(readdirSync(at('by-words'))).toContain('judge-check.json')
    const model = async () =>
      JSON.parse((await calibrate('--judge', 'model', at('by-model'), ...judged(['A']))).stdout).checks[0] as {
        date: string
      }
    const first = await model()
    const second = await model()
    expect(second.date).toBe(first.date)
    const [folder = ''] = readdirSync(join(line.cwd, 'home', 'judges')).filter(name =>
      readdirSync(join(line.cwd, 'home', 'judges', name)).includes('calls'),
    )
    rmSync(join(line.cwd, 'home', 'judges', folder, 'calls'), { recursive: true })
    expect((await model()).date > first.date).toBe(true)
  })
})

describe('the judge of cg-bench in a run', () => {
  let line: CommandLine
  let data: string
  const run = (out: string, ...more: string[]) =>
    line.run(
      ...['bench', 'run', 'cg-bench', '--data', data, '--out', join(line.cwd, out), '--task', 'open', ...quick],
      ...more,
    )

  beforeAll(() => {
    line = commandLine()
    data = join(line.cwd, 'cg')
    mkdirSync(join(data, 'cg_videos_720p'), { recursive: true })
    film(join(data, 'cg_videos_720p', 'red.mp4'), 'red', 2)
    const record = (qid: number) => ({
      ...{ qid, video_uid: 'red', question: `What colour is thing ${qid}?`, answer: 'vermilion' },
      ...{ choices: ['vermilion', 'blue'], right_answer: 'A', clue_intervals: [[0, 1]], duration: 2 },
      ...{ domain: 'Art', sub_category: 'Colour' },
    })
    writeFileSync(join(data, 'cgbench_mini.json'), JSON.stringify([record(1), record(2)]))
  })

  const requests = (out: string): string[] => {
    const folder = join(line.cwd, out, 'calls')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one =>
      one.name.endsWith('.json'),
    )
    const texts = files.map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
    const asked = texts.map(text => JSON.parse(text).request as { purpose: string })
    return asked.flatMap(request => (request.purpose === 'judge' ? [JSON.stringify(request)] : []))
  }

  test.each([
    { mode: 'text', replies: [1], shown: [[true, false]] },
    { mode: 'vision', replies: [1], shown: [[false, true]] },
    { mode: 'text+vision', replies: [1], shown: [[true, true]] },
    {
      mode: 'heuristic',
      replies: [2, 1],
      shown: [
        [false, true],
        [true, false],
      ],
    },
  ])('is shown what the mode $mode says, and no more', async ({ mode, replies, shown }) => {
    const out = `mode-${mode}`
    const ran = await run(out, '--judge-mode', mode, ...judged(replies.map(verdict)))
    expect(ran.code, ran.stderr).toBe(0)
    const seen = requests(out).map(text => [text.includes('vermilion'), text.includes('"image"')])
    expect(new Set(seen.map(String))).toEqual(new Set(shown.map(String)))
    expect(seen).toHaveLength(2 * shown.length)
    const environment = JSON.parse(readFileSync(join(line.cwd, out, 'environment.json'), 'utf8'))
    expect(environment).toMatchObject({
      judgeMode: mode,
      judgedBy: mode === 'heuristic' ? 'chat/scripted' : `chat/scripted (${mode})`,
    })
  })

  test('is refused where it cannot see, or where the judge of the benchmark has no modes', async () => {
    const deaf = ['backend=openai', 'model=m', 'url=http://127.0.0.1:9/v1', 'accepts=["text"]']
    const setting = deaf.flatMap(one => ['--set', `models.judge.${one}`])
    const blind = await run('blind', '--judge-mode', 'vision', ...setting)
    expect(blind).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no images') })
    const words = await run('words', '--judge-mode', 'vision', '--judge', 'words')
    expect(words).toMatchObject({ code: 2, stderr: expect.stringContaining('must be a model that sees') })
    const other = smallData(join(line.cwd, 'other'), { questions: 2 })
    const none = await line.run('bench', 'run', 'videoeval-pro', '--data', other, '--judge-mode', 'text', ...quick)
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('has no mode "text"') })
  })

  describe('over stored answers', () => {
    const again = (out: string, modes: string[], ...more: string[]) =>
      line.run(
        ...['bench', 'judges', join(line.cwd, out), '--judge', 'model', '--json', ...judged([verdict(1)]), ...more],
        ...modes.flatMap(mode => ['--judge-mode', mode]),
      )
    // What the requests of each judge held: the truth, pictures.
    const held = (out: string) => {
      const judges = join(line.cwd, out, 'judges')
      return readdirSync(judges).map(judge => [
        /^chat_scripted_(.+)_-/.exec(judge)?.[1] ?? 'heuristic',
        ...new Set(
          requests(join(out, 'judges', judge)).map(text =>
            String([text.includes('vermilion'), text.includes('"image"')]),
          ),
        ),
      ])
    }

    test('it sees the videos of the run, also where they were moved to', async () => {
      expect(await run('plain', '--judge', 'words')).toMatchObject({ code: 0 })
      const seen = await again('plain', ['text', 'vision'])
      expect(seen.code, seen.stderr).toBe(0)
      expect(held('plain').sort()).toEqual([
        ['text', 'true,false'],
        ['vision', 'false,true'],
      ])
      const [moved, films] = ['moved', 'films'].map(name => join(line.cwd, name)) as [string, string]
      cpSync(join(data, 'cgbench_mini.json'), join(moved, 'cgbench_mini.json'))
      cpSync(join(data, 'cg_videos_720p'), films, { recursive: true })
      const elsewhere = await again('plain', ['text+vision'], '--data', moved, '--videos', films)
      expect(elsewhere.code, elsewhere.stderr).toBe(0)
      expect(held('plain')).toContainEqual(['text_vision', 'true,true'])
    })

    test('the missing ones are named before anything is asked, unless nothing is left to ask; a first step is asked once', async () => {
      expect(await run('bare', '--judge', 'words')).toMatchObject({ code: 0 })
      const moved = ['--data', join(line.cwd, 'moved')]
      const missing = 'videos of bare that the judge must see are not there: cg_videos_720p/red.mp4.'
      for (const more of [[], ['--dry-run']]) {
        const refused = await again('bare', ['vision'], ...moved, ...more)
        expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(missing)])
      }
      const agreed = await line.run(
        'bench',
        'agree',
        join(line.cwd, 'bare'),
        '--judge',
        'model',
        '--judge-mode',
        'vision',
        ...moved,
        ...judged([verdict(1)]),
      )
      expect([agreed.code, agreed.stderr]).toEqual([2, expect.stringContaining(missing)])
      expect(await again('plain', ['vision'], ...moved)).toMatchObject({ code: 0 })
      const open = await again('bare', ['heuristic'], ...moved, ...judged([verdict(2)]))
      expect(open.code, open.stderr).toBe(6)
      expect(JSON.parse(open.stdout).runs[0].unjudged).toEqual([2])
      const [judge] = readdirSync(join(line.cwd, 'bare', 'judges')).filter(name => /^chat_scripted-/.test(name))
      const asked = () => requests(join('bare', 'judges', judge ?? '')).map(text => text.includes('"image"'))
      expect(asked()).toEqual([false, false])
      expect(await again('bare', ['heuristic'], ...moved)).toMatchObject({ code: 6 })
      expect(asked()).toEqual([false, false])
      const whole = await again('bare', ['heuristic'])
      expect(whole.code, whole.stderr).toBe(0)
      expect(asked().sort()).toEqual([false, false, true, true])
    })

    test('a judge is not checked in a mode that looks: the shipped answers are of no video', async () => {
      const { code, stderr } = await line.run(
        'bench',
        'judges',
        '--calibrate',
        '--judge',
        'model',
        '--judge-mode',
        'vision',
      )
      expect([code, stderr]).toEqual([2, expect.stringContaining('are of no video')])
    })
  })

  test('says how often it asked for the picture, and how often where people say that it is needed', async () => {
    const out = join(line.cwd, 'mode-heuristic')
    const file = join(line.cwd, 'ben.jsonl')
    const lines = [
      { id: 1, rater: 'ben', verdict: true, note: 'needs the picture' },
      { id: 2, rater: 'ben', verdict: true },
    ]
    writeFileSync(file, lines.map(one => JSON.stringify(one)).join('\n'))
    const agreed = await line.run('bench', 'agree', out, '--human', file, '--json')
    expect(agreed.code, agreed.stderr).toBe(0)
    const { pictures } = JSON.parse(agreed.stdout)
    expect(pictures).toEqual([{ judge: 'chat/scripted', asked: 2, of: 2, needed: 1, found: 1 }])
    const report = await line.run('bench', 'report', out, '--json')
    const { tables } = JSON.parse((await line.run('bench', 'report', out, '--table', 'cg-bench:5', '--json')).stdout)
    expect(tables[0].columns[1]).toBe('Ours, mode-heuristic, chat/scripted *a')
    expect(tables[0].rows.map((row: string[]) => row[1])).toEqual(['0.00', expect.any(String), '-', '100', '100'])
    expect(JSON.parse(report.stdout).reports[0].agreement).toMatchObject({ people: ['ben'], runs: ['mode-heuristic'] })
  })
})

test('a run stands in a table of judges under each that graded all of its answers, and under no other', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const folder = join(line.cwd, 'validation')
  mkdirSync(folder)
  const asked = [0, 1].map(i => ({ question_id: `${i}`, question: `What happens ${i}?`, answer: 'rain' }))
  writeFileSync(join(folder, 'summarization.json'), JSON.stringify(asked))
  const out = join(line.cwd, 'run')
  const ran = await line.run(
    ...['bench', 'run', 'infinibench', '--data', folder, '--out', out, ...model, ...says('rain')],
    ...['--option', 'frames=0', '--option', 'subtitles=off', '--judge', 'words'],
  )
  expect(ran.code, ran.stderr).toBe(0)
  const reply = createHash('sha256').update('rain').digest('hex').slice(0, 16)
  const said = (by: string, ids: string[], score: number, failed = {}) => {
    const replies = { open: JSON.stringify({ score, justification: 'so' }) }
    mkdirSync(join(out, 'judges', by.replace('/', '_')), { recursive: true })
    const rows = ids.map(id => JSON.stringify({ id, reply, judgment: { by, replies, failed, seconds: 1 } }))
    writeFileSync(join(out, 'judges', by.replace('/', '_'), 'verdicts.jsonl'), `${rows.join('\n')}\n`)
  }
  said('openai/gpt-4o-2024-08-06', ['0', '1'], 7)
  said('openai/gpt-4o-mini', ['0', '1'], 2)
  said('ollama/qwen2.5:7b', ['0'], 5)
  const table = async () => {
    const { stdout } = await line.run('bench', 'report', out, '--table', 'infinibench:5', '--json')
    return JSON.parse(stdout).tables[0]
  }
  const { columns, rows } = await table()
  expect(columns).toEqual(['model', 'GPT-4o', 'Gemini 2.0', 'Qwen 2.5'])
  expect(rows[0]).toEqual([expect.stringContaining('run'), '7.00', '-', '-'])
  said('openai/gpt-4o-2024-08-06', ['0', '1'], 7, { open: 'no verdict in the reply' })
  expect((await table()).rows[0]?.[1]).not.toBe('7.00')
})
