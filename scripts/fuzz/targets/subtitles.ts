import { decodeText, parseSubtitles } from '../../../src/media/parse-subtitles.ts'
import { mutateText } from '../mutate/text.ts'
import { promise, type Target } from '../target.ts'

const subtitles: Target = {
  name: 'subtitles',
  summary: 'SubRip and WebVTT files in any encoding',
  guided: /src\/media\/parse-subtitles/,
  seeds: async () => [...texts.map(text => Buffer.from(text)), ...encoded],
  mutate: (input, draw, other) => mutateText(input, draw, other, words),
  async run(input) {
    const cues = parseSubtitles(decodeText(input))
    let last = 0
    let length = 0
    for (const { span, text, speaker } of cues) {
      promise(span.start >= last && span.end > span.start && Number.isFinite(span.end), 'spans are valid and in order')
      promise(text.trim() !== '' && speaker !== '', 'a cue says something')
      last = span.start
      length += text.length + (speaker?.length ?? 0)
    }
    promise(length <= 4 * input.length + 100, `no more is said than was written: ${length} of ${input.length}`)
  },
}

export default subtitles

const texts = [
  '1\n00:00:01,000 --> 00:00:02,500\nHello <i>there</i>.\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}Two\\Nlines &amp; more\n',
  'WEBVTT\n\nNOTE made here\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann>Hi <c.yellow>you</c></v>\n<v Bob>Hi &#x41;&#65;&lt;\n\n01:00:00.000 --> 01:00:01.5\n<00:01.000>timed <b>words\n',
  '\ufeff1\r\n0:0:1,0 --> 0:0:2,00\r\nשלום עולם\r\n\r\n2\r\n00:00:02.000-->00:00:03.000\r\n誰ですか\r\n',
]
const encoded = [
  Buffer.from(`\ufeff${texts[0]}`, 'utf16le'),
  Buffer.from(`\ufeff${texts[0]}`, 'utf16le').swap16(),
  Buffer.from(texts[0].replace('Hello', 'Caf\u00e9 \u0093'), 'latin1'),
]
const words = [
  ...[
    '00:00:01,000 --> 00:00:02,000\n',
    ' --> ',
    '99:59:59,999',
    '00:61:61.1',
    '-1:00:00,000',
    '\n\n',
    '<v',
    '<v Ann>',
  ],
  ...['</v>', '<c.x>', '<i>', '&amp;', '&#x110000;', '&#0;', '&#xd800;', '&nbsp', '{\\an8}', '{\\', '\\N', 'WEBVTT\n'],
  ...[
    'NOTE ',
    'STYLE\n',
    'REGION\n',
    '<00:01.000>',
    '\ufeff',
    '\xff\xfe',
    '[Script Info]\n',
    'Dialogue: 0,0:00:01.00,',
  ],
]
