import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { runScript } from '../../scripts/script.ts'
import { runProgram } from '../../src/media/program/run-program.ts'

// Renders frames that are hard to read, with their truth, for tests/parity/text.ts: other ones for every seed.
//   npx tsx tests/parity/text-frames.ts OUT --seed 1 --each 4 [--pictures FOLDER-OF-VIDEOS]
// The fonts are those that the machine has; the Chinese ones need one (Debian: fonts-noto-cjk). Without videos the grounds are drawn.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '4' },
    pictures: { type: 'string' },
  },
})
const [out = 'frames'] = positionals

let state = Number(values.seed) * 2654435761
const random = () => {
  state = (state * 1664525 + 1013904223) >>> 0
  return state / 2 ** 32
}
const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const sans = ['DejaVu Sans', 'Liberation Sans', 'Open Sans', 'Roboto', 'Lato', 'Liberation Sans Narrow']
const serif = ['DejaVu Serif', 'Liberation Serif']
const mono = ['DejaVu Sans Mono', 'Liberation Mono', 'JetBrains Mono']
const anyFont = [...sans, ...serif]

const first = ['Amelia', 'Kenji', 'Maria', 'Oluwaseun', 'Ingrid', 'Priya', 'Tomasz', 'Grace', 'Hassan', 'Elena']
const last = [
  'Hartwell',
  'Watanabe',
  'Okafor',
  'Lindqvist',
  'Sharma',
  'Kowalski',
  'Whitfield',
  'Moreau',
  'Petrov',
  'Quigley',
]
const jobs = [
  'Marine Biologist, University of Bergen',
  'Head of Infrastructure | Osaka',
  'Chief Economist, Harbour Bank',
  'Mayor of Wexford since 2019',
  'Former goalkeeper, 112 caps',
  'Director of "The Quiet Sea"',
  'Reporter - Glasgow',
  'Professor of Hydrology (retired)',
]
const accents = [
  'João Müller',
  'Tromsø harbour',
  'José Núñez',
  'François Lefèvre',
  'Zoë Ångström',
  'Märta Söderberg',
  'São Paulo',
  'Køge, Århus, Malmö',
  'CAFÉ CRÈME',
  'Über uns',
  'Besançon',
  'Málaga',
  'Düsseldorf Straße 12',
  'Peña Ñandú',
  'Reykjavík',
  'ANDRÉ GÖTZE',
  'Coimbra, estação',
  'déjà vu',
  'Niño en España',
  'BJØRN ÅSEN',
]
const titles = [
  'THE LAST FERRY',
  'The river was gone by August',
  'Part Two: Salt and Iron',
  'NO TRESPASSING',
  'Three Winters Later',
  'Episode 7',
  'A film by Ruth Adeyemi',
  'THE EIGHTH BRIDGE',
]
const dialogue = [
  ['- Where were you last night?', '- At the station. Ask anyone.'],
  ['- Did you lock the door?', '- Twice.'],
  ['I never said she stole', 'the money from the fund.'],
  ['We leave at 06:45 sharp.'],
  ['If you see him again,', "don't let him in."],
  ['- Who is it?', "- It's me, open up!"],
  ['[door creaks]', 'Is anybody there?'],
  ['I was 17 when the war ended.'],
]
const small = [
  'Invoice 2024-00817, due 14 March, total 1,284.50 EUR',
  'Shipping address: 22 Kirkegata, 0153 Oslo, Norway',
  'Contact: billing@nordlys-energi.no, +47 22 33 44 55',
  'Discount code WINTER15 was applied to 3 items',
  'Flight BA 2490 to Lisbon, gate B42, boarding 18:05',
  'Serial number: XK-77413-Q, firmware 3.1.8',
  'The committee will meet again on 9 September',
  'Model A: 64.2 % accuracy, model B: 71.9 %',
  'Source: National Statistics Office, table 7a',
  'Water level 3.42 m above datum at 07:15',
]
const chinese = [
  ['今晚八点新闻联播', '记者李明从上海报道'],
  ['会议地点改到旧火车站', '时间：六月十二日上午九点'],
  ['欢迎来到北京大学', 'Welcome to Peking University'],
  ['明天有大雨，请带伞'],
  ['第三章 漫长的冬天'],
  ['票价：成人45元，学生20元'],
  ['深圳地铁1号线', '开往机场东方向'],
  ['注意安全 请勿靠近'],
  ['人工智能与机器学习', '2026年春季课程'],
]
const slides = [
  [
    'Quarterly Results',
    'Revenue grew 8.3% to 412 million',
    'Operating margin: 17.9% (Q2: 16.2%)',
    'Headcount 1,240, down from 1,310',
  ],
  [
    'Theorem 4.2',
    'Let f be continuous on [a, b].',
    'Then f attains its maximum.',
    'Proof by contradiction (see p. 117)',
  ],
  ['Agenda', '1. Welcome and apologies', '2. Budget for the new bridge', '3. Any other business'],
  ['Graph search', 'Breadth first: O(V + E)', 'Dijkstra: O(E log V)', 'A* needs a heuristic h(n)'],
  ['Cell membranes', 'Lipid bilayer, 5 nm thick', 'Proteins make up ~50% of mass', 'Passive vs. active transport'],
  ['Lab safety', 'Wear goggles at all times', 'No food or drink', 'Report every spill'],
  ['Newton, 1687', 'F = ma', 'Every action has a reaction', 'v = u + at'],
]
const code = [
  ['def total(items):', 'return sum(i.price for i in items)'],
  ['for (let i = 0; i < n; i++) {', 'if (a[i] <= b[j]) k = i', '}'],
  ['i = j = 0', 'while i < len(a) and j < len(b):', 'if a[i] <= b[j]:'],
  ['git commit -m "fix typo"', 'npm run build && npm test'],
  ['SELECT name, age FROM users', 'WHERE age >= 18 ORDER BY name;'],
  ['x = y + z * 2', 'print(f"x is {x}")'],
]
const scores = [
  ['ARS 2 - 1 CHE', '67:24'],
  ['GER 0 - 0 BRA', '90+3'],
  ['LAL 98 - 101 BOS', 'Q4 2:17'],
  ['6-4 3-6 7-5'],
  ['MCI 3 - 3 TOT', '45:00'],
  ['A 1 - B 2'],
  ['NYY 4 - 2 BOS', 'TOP 7'],
]
const tilted = [
  ['Museum closed on Mondays', 'Entrance 12 euro, students 6'],
  ['SALE ENDS SUNDAY', 'Up to 40% off'],
  ['Platform 9 closed', 'Use platform 4 instead'],
  ['Bakery open 06:00 - 14:00'],
  ['Please ring the bell', 'and wait outside'],
  ['Lost cat, grey, answers to Moss', 'Call 0155 770 431'],
]
const clocks = [
  '01:07:42:18',
  '2026-03-14 09:26:53',
  '00:14:09.240',
  'CAM 3  22:41:07',
  '12/09/2025 07:03',
  'REC 00:00:31',
]

interface Text {
  text: string
  x: number
  y: number // of its base line
  size: number
  font: string
  fill: string
  weight?: number
  italic?: boolean
  outline?: string
  anchor?: string
}

function drawn({ text, x, y, size, font, fill, weight = 400, italic, outline, anchor = 'start' }: Text): string {
  const edge = outline ? `stroke="${outline}" stroke-width="${Math.max(2, size / 9)}" paint-order="stroke"` : ''
  const slant = italic ? 'font-style="italic"' : ''
  return `<text xml:space="preserve" x="${x}" y="${y}" font-family="${font}" font-size="${size}" font-weight="${weight}" ${slant} text-anchor="${anchor}" fill="${fill}" ${edge}>${escaped(text)}</text>`
}

interface Drawing {
  lines: string[]
  shapes: string
  ground: string | 'picture'
  size?: [number, number] // of the frame, smaller than it is drawn
}

const [width, height] = [1280, 720]
const plain = ['#ffffff', '#fafafa', '#f4f4ee', '#fdf8e4', '#102030', '#1b1b1b', '#e8eefc']
const isDark = (ground: string) => Number.parseInt(ground.slice(1, 3), 16) < 128

function bar(x: number, y: number, w: number, h: number, fill: string, opacity = 1): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" fill-opacity="${opacity}"/>`
}

function lowerThird(lines: string[]): Drawing {
  const [font, size, x, y] = [pick(anyFont), between(30, 48), between(50, 160), between(520, 570)]
  const fill = pick(['#10307c', '#8c1010', '#202020', '#f2f2f2', '#0c5c3c'])
  const ink = isDark(fill) ? pick(['#ffffff', '#ffe9a0']) : '#101010'
  const shapes = [
    bar(x - 24, y - size - 16, between(620, 900), size * 2.3 + 24, fill, pick([1, 0.85, 0.6])),
    ...lines.map((text, i) =>
      drawn({
        text,
        x,
        y: y + i * size * 1.05,
        size: i === 0 ? size : size * 0.62,
        font,
        fill: ink,
        weight: i === 0 ? 700 : 400,
        italic: random() < 0.2,
      }),
    ),
  ]
  return { lines, shapes: shapes.join(''), ground: 'picture' }
}

function page(
  lines: string[],
  { fonts = anyFont, sizes = [26, 34], head = 1.4, gap = 1.7, ground = pick(plain) } = {},
): Drawing {
  const [font, size, x, y] = [pick(fonts), between(sizes[0]!, sizes[1]!), between(60, 160), between(90, 160)]
  const fill = isDark(ground) ? pick(['#f0f0f0', '#ffd860', '#9fe0ff']) : pick(['#101010', '#1a1a50', '#402010'])
  const shapes = lines.map((text, i) =>
    drawn({
      text,
      x,
      y: y + i * size * gap,
      size: i === 0 ? size * head : size,
      font,
      fill,
      weight: i === 0 && head > 1 ? 700 : 400,
    }),
  )
  return { lines, shapes: shapes.join(''), ground }
}

function subtitle(lines: string[]): Drawing {
  const [font, size] = [pick(sans), between(30, 42)]
  const shapes = lines.map((text, i) =>
    drawn({
      text,
      x: width / 2,
      y: 690 - (lines.length - i) * size * 1.25,
      size,
      font,
      fill: pick(['#ffffff', '#fff060']),
      outline: '#000000',
      anchor: 'middle',
    }),
  )
  return { lines, shapes: shapes.join(''), ground: 'picture' }
}

function over(lines: string[]): Drawing {
  const [font, size] = [pick(anyFont), between(34, 70)]
  const [x, y] = [between(80, 260), between(150, 560)]
  const shapes = lines.map((text, i) =>
    drawn({
      text,
      x,
      y: y + i * size * 1.3,
      size,
      font,
      fill: pick(['#ffffff', '#ffd840', '#ffffff']),
      outline: random() < 0.6 ? '#000000' : undefined,
      weight: 700,
    }),
  )
  return { lines, shapes: shapes.join(''), ground: 'picture' }
}

function turned(lines: string[]): Drawing {
  const angle = between(3, 10) * (random() < 0.5 ? -1 : 1)
  const { shapes, ...rest } = page(lines, { sizes: [32, 44] })
  return { ...rest, shapes: `<g transform="translate(60 ${angle < 0 ? 260 : 60}) rotate(${angle})">${shapes}</g>` }
}

function faint(lines: string[]): Drawing {
  const light = random() < 0.6
  const ground = light ? '#f4f4f0' : '#282c30'
  const shapes = lines.map((text, i) =>
    drawn({
      text,
      x: 120,
      y: 200 + i * 70,
      size: between(30, 40),
      font: pick(sans),
      fill: light ? pick(['#c4c4c0', '#b8c8d8', '#d0c0b0']) : pick(['#50565c', '#5c5048']),
    }),
  )
  return { lines, shapes: shapes.join(''), ground }
}

function board(lines: string[]): Drawing {
  const [font, size, x, y] = [pick(sans), between(22, 36), between(40, 120), between(60, 110)]
  const wide = lines.join('  ').length * size * 0.72
  let at = x
  const shapes = [bar(x - 16, y - size * 1.1, wide, size * 1.6, pick(['#181830', '#300a30', '#004020']))]
  for (const text of lines) {
    shapes.push(drawn({ text, x: at, y, size, font, fill: '#ffffff', weight: 700 }))
    at += text.length * size * 0.72 + size
  }
  return { lines, shapes: shapes.join(''), ground: 'picture' }
}

function clock(lines: string[]): Drawing {
  const [size, x, y] = [between(22, 32), pick([50, 860]), pick([60, 670])]
  const behind = random() < 0.5 ? bar(x - 10, y - size, size * 0.66 * lines[0]!.length + 20, size * 1.4, '#000000') : ''
  return {
    lines,
    shapes:
      behind +
      drawn({
        text: lines[0]!,
        x,
        y,
        size,
        font: pick(mono),
        fill: '#ffffff',
        outline: behind ? undefined : '#000000',
      }),
    ground: 'picture',
  }
}

function tiny(): Drawing {
  const lines = Array.from({ length: 5 }, () => pick(small)).filter((line, i, all) => all.indexOf(line) === i)
  return page(lines, { sizes: [14, 17], head: 1, gap: 1.9, ground: pick(['#ffffff', '#fafafa', '#202428']) })
}

const shrunk = (drawing: Drawing, sizes: [number, number][]): Drawing => ({ ...drawing, size: pick(sizes) })
const few: [number, number][] = [
  [480, 270],
  [426, 240],
  [640, 360],
]

const kinds: Record<string, () => Drawing> = {
  lowerthird: () => lowerThird([`${pick(['Dr. ', '', ''])}${pick(first)} ${pick(last)}`, pick(jobs)]),
  accents: () =>
    random() < 0.5 ? lowerThird([pick(accents), pick(accents)]) : page([pick(accents), pick(accents), pick(accents)]),
  overlay: () => over([pick(titles)]),
  subtitle: () => subtitle(pick(dialogue)),
  small: tiny,
  chinese: () => {
    const lines = pick(chinese)
    const drawing = random() < 0.5 ? over(lines) : page(lines)
    return { ...drawing, shapes: drawing.shapes.replaceAll(/font-family="[^"]*"/g, 'font-family="Noto Sans CJK SC"') }
  },
  slide: () => page(pick(slides)),
  code: () =>
    page(pick(code), { fonts: mono, sizes: [24, 32], head: 1, ground: pick(['#1b1b1b', '#ffffff', '#102030']) }),
  score: () => board(pick(scores)),
  tilted: () => turned(pick(tilted)),
  faint: () => faint([pick(titles), pick(small)]),
  timecode: () => clock([pick(clocks)]),
  shrunkslide: () => shrunk(page(pick(slides), { sizes: [36, 46] }), few),
  shrunkthird: () =>
    shrunk(lowerThird([`${pick(first)} ${pick(last)}`, pick(jobs)]), [
      [640, 360],
      [480, 270],
    ]),
  shrunksubtitle: () => shrunk(subtitle(pick(dialogue)), few),
  none: () => ({ lines: [], shapes: '', ground: 'picture' }),
}

await runScript(async signal => {
  await mkdir(out, { recursive: true })
  const truth: Record<string, string[]> = {}
  let count = 0
  for (const [kind, draw] of Object.entries(kinds)) {
    for (let i = 0; i < Number(values.each); i++) {
      const { lines, shapes, ground, size = [width, height] } = draw()
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground === 'picture' ? '' : bar(0, 0, width, height, ground)}${shapes}</svg>`
      const below =
        ground === 'picture'
          ? await picture(signal)
          : { create: { width, height, channels: 3 as const, background: ground } }
      const whole = await sharp(below as never)
        .composite([{ input: Buffer.from(svg) }])
        .png()
        .toBuffer()
      // As a video has it: compressed.
      const quality = between(70, 92)
      const jpeg = await sharp(whole).resize(size[0], size[1], { fit: 'fill' }).jpeg({ quality }).toBuffer()
      const file = `${String(++count).padStart(3, '0')}-${kind}.png`
      await sharp(jpeg).png().toFile(join(out, file))
      truth[file] = lines
    }
  }
  await writeFile(join(out, 'truth.json'), JSON.stringify(truth, null, 1))
  console.log(`${count} frames in ${out}`)
})

// A moment of one of the videos, or waves of colour.
async function picture(signal: AbortSignal): Promise<Buffer> {
  const folder = values.pictures
  if (!folder) {
    const turbulence = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><filter id="f"><feTurbulence type="fractalNoise" baseFrequency="0.0${between(1, 4)}" numOctaves="4" seed="${between(1, 999)}"/><feColorMatrix type="saturate" values="0.6"/></filter><rect width="100%" height="100%" fill="#607080"/><rect width="100%" height="100%" filter="url(#f)" opacity="0.8"/></svg>`
    return sharp(Buffer.from(turbulence)).png().toBuffer()
  }
  const files = (await readdir(folder)).filter(file => /\.(mp4|webm|mkv|mov)$/.test(file)).sort()
  const path = join(folder, pick(files))
  const at = between(0, 9)
  const args = [
    '-v',
    'error',
    '-ss',
    `${at}`,
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    `scale=${width}:${height}`,
    '-f',
    'image2pipe',
    '-c:v',
    'png',
    '-',
  ]
  const { stdout } = await runProgram('ffmpeg', args, { signal }).catch(() => ({ stdout: Buffer.alloc(0) }))
  return stdout.length > 0 ? Buffer.from(stdout) : picture(signal)
}
