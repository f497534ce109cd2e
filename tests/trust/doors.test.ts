import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toToolResult } from '../../apps/serve/server/mcp/define-tool.ts'
import { writeAnswerContent } from '../../apps/serve/server/openai/content.ts'
import { pageHeaders } from '../../apps/serve/server/policy.ts'
import { markdown } from '../../eval/data/report-table.ts'
import { h, jsonScript, toHtml } from '../../eval/report/page/markup.ts'
import { tex } from '../../eval/report/papers/tex.ts'
import { type Evidence, stamp } from '../../src/core/evidence.ts'
import { csvText } from '../../src/core/words/csv-cell.ts'
import { escapeMarkup, openMarkupStream } from '../../src/core/words/escape-markup.ts'
import { chapters, rowsToCsv, srt, vtt } from '../../src/core/words/export-formats.ts'
import { fence } from '../../src/core/words/fence.ts'
import { markdownText } from '../../src/core/words/markdown-text.ts'
import { safeJson, visibleFileName, visibleLine, visibleText } from '../../src/core/words/visible-text.ts'
import { hostileWords } from './hostile-words.ts'

// Every door by which words of strangers leave, and the rule that makes them words there. A new door is a line here.
interface Door {
  rule: string
  write(words: string): string
  faults(written: string, words: string): (string | false)[]
}

const doors: Record<string, Door> = {
  'terminal, text': { rule: 'plain', write: visibleText, faults: unseen },
  'terminal, one line': {
    rule: 'oneLine',
    write: visibleLine,
    faults: text => [...unseen(text), /[\n\r]/.test(text) && 'a line break'],
  },
  'terminal, file name': {
    rule: 'fileName',
    write: visibleFileName,
    faults: text => [...unseen(text), /[\n\r\t]/.test(text) && 'a line break'],
  },
  'terminal, JSON': {
    rule: 'safeJson',
    write: words => safeJson({ words }),
    faults: (text, words) => [...unseen(text), JSON.parse(text).words !== words && 'it reads back as something else'],
  },
  prompt: { rule: 'fence', write: words => fence('rows', words), faults: fencedOnce },
  MCP: {
    rule: 'replyText (fence)',
    write: words => {
      const { content } = toToolResult({ head: 'One row.', lines: [words] })
      return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
    },
    faults: text => fencedOnce(text.slice(text.indexOf('<data'))),
  },
  '/v1, whole': { rule: 'writeAnswerContent (escapeMarkup)', write: answered, faults: markupIn },
  '/v1, title of a citation': { rule: 'writeAnswerContent (escapeMarkup)', write: cited, faults: markupIn },
  '/v1, in pieces': {
    rule: 'openMarkupStream',
    write: words => {
      const stream = openMarkupStream()
      return [...words].map(letter => stream.write(letter)).join('') + stream.end()
    },
    faults: (text, words) => [...markupIn(text), text !== escapeMarkup(words) && 'it is not what the whole is'],
  },
  'report, HTML': {
    rule: 'h, toHtml',
    write: words => toHtml(h('p', { title: words }, words)),
    faults: text => {
      const [, title, body] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(text) ?? []
      return [
        ...unseen(text),
        (title === undefined || body === undefined) && 'it leaves its element',
        />/.test(`${title}${body}`) && 'a bracket',
      ]
    },
  },
  'report, data of its script': {
    rule: 'jsonScript',
    write: words => toHtml(jsonScript({ words })),
    faults: (text, words) => {
      const [, json = ''] = /^<script type="application\/json">([^<>&]*)<\/script>$/.exec(text) ?? []
      return [(json === '' || JSON.parse(json).words !== words) && 'it leaves its element']
    },
  },
  CSV: {
    rule: 'csvText',
    write: words =>
      csvText([
        ['a', words, 1],
        ['b', 'c', 2],
      ]),
    faults: text => [',', ';', '\t'].flatMap(sign => cellFaults(text, sign)).concat(unseen(text)),
  },
  'CSV of rows': {
    rule: 'csv (csvText)',
    write: words => rowsToCsv([row(words)]),
    faults: text => [...cellFaults(text, ','), ...unseen(text)],
  },
  LaTeX: {
    rule: 'tex',
    write: tex,
    faults: text => {
      const rest = text.replace(
        /\\text(backslash|asciitilde|asciicircum|less|greater|bar)\{\}|\$\\(Delta|kappa|tau)\$|\\[{}%$#&_]/g,
        '',
      )
      return [...unseen(text), /[\\{}%$#&_~^\n\t]/.test(rest) && 'a command']
    },
  },
  'Markdown, line': { rule: 'markdownText', write: markdownText, faults: markdownFaults },
  'Markdown, table': {
    rule: 'markdown (markdownText)',
    write: words => markdown('T', [{ title: 'H', columns: ['a', 'b'], rows: [[words, '1']], notes: [] }]),
    faults: text => {
      const lines = text.split('\n')
      const cells = lines[6]?.split(/(?<=(?<!\\)(?:\\\\)*)\|/) ?? []
      return [
        lines.length !== 8 && 'another line',
        cells.length !== 4 && 'another cell',
        ...markdownFaults(`cell ${cells[1]?.trim() ?? ''}`),
      ]
    },
  },
  SubRip: {
    rule: 'srt',
    write: words => srt([row(words), row('end')]),
    faults: text => [...unseen(text), cueTimes(text) !== text.includes('\nend') && 'a cue'],
  },
  WebVTT: {
    rule: 'vtt',
    write: words => vtt([{ ...row(words), speaker: words.slice(0, 40).replace(/\s/g, ' ') }, row('end')]),
    faults: text => [
      ...unseen(text),
      /-->[^\n]*-->/.test(text) && 'a time',
      /<(?!v )|&(?!amp;|lt;|gt;)/.test(text) && 'a tag',
    ],
  },
  chapters: {
    rule: 'chapters (oneLine)',
    write: words => chapters({ chapters: [{ span: { start: 0, end: 1 }, title: words }] } as never),
    faults: text => [...unseen(text), text.split('\n').length !== 2 && 'another line'],
  },
}

describe('words of strangers are words at every door', () => {
  test.each(Object.entries(doors))('%s', (_, { write, faults }) => {
    const found: string[] = []
    for (const words of hostileWords()) {
      const broken = faults(write(words), words).filter(fault => fault !== false)
      if (broken.length > 0)
        found.push(`${broken.join(', ')}: ${JSON.stringify(words)} -> ${JSON.stringify(write(words))}`)
    }
    expect(found.slice(0, 5)).toEqual([])
  })

  test('the page makes text of them: it has no way to make markup, and a browser would refuse it', () => {
    const folder = join(import.meta.dirname, '../../apps/serve/page')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
    expect(sources.length).toBeGreaterThan(100)
    const sinks =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc|DOMParser|createContextualFragment|\beval\(|new Function/i
    expect(sources.filter(name => sinks.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
    expect(pageHeaders['content-security-policy']).toMatch(/require-trusted-types-for 'script'; trusted-types 'none'/)
    // No address of a link comes from words: each is one of the page's own.
    const own = /^(pageAddress\(|momentAddress\(|`\/|isQuestion \? pageAddress|href$)/
    const links = sources.flatMap(name =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:href|src|action)=\{\s*([^\n}]*)/g)].map(
        ([, to = '']) => `${name}: ${to}`,
      ),
    )
    expect(links.filter(link => /: (https?|javascript|data)/.test(link))).toEqual([])
    expect(links.filter(link => /href=/.test(link) && !own.test(link.replace(/^.*?: /, '')))).toEqual([])
  })

  test('docs/reliability.md lists the doors', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')
    for (const [name, { rule }] of Object.entries(doors)) expect(page).toContain(`| ${name} | \`${rule}\` |`)
  })
})

// Code points that a screen does not show or that turn what stands beside them, written out: not the expression of our own.
function unseen(text: string): string[] {
  const found = [...text].filter((sign, at, all) => {
    const code = sign.codePointAt(0) ?? 0
    const isJoiner = code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)
    if (isJoiner) return at === 0 || /[\s\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7e\u200b-\u200d]/.test(all[at - 1] ?? '')
    return (
      (code < 0x20 && sign !== '\n' && sign !== '\t') ||
      (code >= 0x7f && code <= 0x9f) ||
      [0xad, 0x61c, 0x115f, 0x1160, 0x3164, 0xffa0, 0xfeff, 0x34f].includes(code) ||
      (code >= 0x200b && code <= 0x200f) ||
      (code >= 0x2028 && code <= 0x202e) ||
      (code >= 0x2060 && code <= 0x206f) ||
      (code >= 0xfff9 && code <= 0xfffb) ||
      (code >= 0xe0000 && code <= 0xe00ff)
    )
  })
  return found.map(sign => `U+${sign.codePointAt(0)?.toString(16)}`)
}

// As a reader sees it that folds forms and passes over what has no width.
function fencedOnce(text: string): (string | false)[] {
  const folded = text
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
  const opened = folded.match(/<[\s/\\|]*d\s*a\s*t\s*a/g) ?? []
  return [
    opened.length !== 2 && `${opened.length} marks of a fence`,
    !folded.endsWith('</data>') && 'something behind the fence',
    /<\|[a-z_]+\|>|\[\/?inst\]|<\/?(?:tool_call|think|function_calls)>/.test(folded) && 'a mark of a chat template',
  ]
}

function markupIn(text: string): (string | false)[] {
  return [
    ...unseen(text),
    /<[\p{L}/!?]/u.test(text) && 'a tag',
    /\](?:\((?!https?:\/\/)|:)/i.test(text) && 'a link or a definition',
    /!\[/.test(text) && 'an image',
  ]
}

function markdownFaults(text: string): (string | false)[] {
  const bare = text.replace(/\\[\\|`*_[\]<>~#+\-.)]/g, '')
  return [
    ...unseen(text),
    /[|`*_[\]<>~\n\t]/.test(bare) && 'a sign of Markdown',
    /^\s*(?:[#+-]+|\d{1,9}[.)])(?:\s|$)/.test(text) && 'a list or a heading',
  ]
}

// What a spreadsheet makes of a file whose cells are parted by this sign.
function cellFaults(text: string, sign: string): string[] {
  const faults: string[] = []
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const end = () => {
    rows.at(-1)?.push(cell)
    if (/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell))
      faults.push(`a formula behind ${JSON.stringify(sign)}`)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted && letter === '"' && text[at + 1] === '"') cell += text[at++]
    else if (letter === '"' && (quoted || cell === '' || sign !== ',')) quoted = !quoted
    else if (!quoted && letter === sign) end()
    else if (!quoted && letter === '\n') {
      end()
      rows.push([])
    } else cell += letter
  }
  if (sign === ',' && (rows.length !== 3 || new Set(rows.slice(0, 2).map(one => one.length)).size !== 1))
    faults.push('another row or cell')
  return faults
}

// Whether the file has as many cues as rows.
function cueTimes(text: string): boolean {
  const times = text.match(/^\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}$/gm)?.length ?? 0
  const numbered = text.split('\n\n').filter(block => /^\d+\n\d\d:/.test(block)).length
  return times === numbered && times >= 1
}

function row(text: string): Evidence {
  return stamp({ span: { start: 1, end: 2 }, track: 'speech', text }, 'v', 'x/y')
}

function answered(words: string): string {
  const cited = row('said')
  const sentences = [{ text: words, cites: [cited.id] }]
  return writeAnswerContent({ text: words, sentences } as never, [cited], () => 'http://here').text
}

function cited(words: string): string {
  const said = row(words)
  const text = 'An answer.'
  const answer = { text, sentences: [{ text, cites: [said.id] }] }
  return writeAnswerContent(answer as never, [said], () => 'http://here').citations[0]?.title ?? ''
}
