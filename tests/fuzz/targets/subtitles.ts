import { decodeText } from '../../../src/media/encodings/decode-text.ts'
import { parseSubtitles, type SubtitleCue } from '../../../src/media/subtitles/parse-subtitles.ts'
import { parseTimedText } from '../../../src/media/subtitles/read-sidecar.ts'
import { dictionary } from '../dictionary.ts'
import { mutateText } from '../mutate/text.ts'
import { promise, type Target } from '../target.ts'

const subtitles: Target = {
  name: 'subtitles',
  summary: 'SubRip, WebVTT and TTML files in any encoding',
  guided: /src\/media\/(subtitles|encodings)\//,
  seeds: async () => [...texts.map(text => Buffer.from(text)), ...encoded],
  mutate: (input, draw, other) => mutateText(input, draw, other, dictionary.subtitles),
  async run(input) {
    const { text } = decodeText(input)
    for (const parse of [parseSubtitles, parseTimedText]) checkCues(await parse(text), text)
  },
}

export default subtitles

function checkCues(cues: readonly SubtitleCue[], text: string): void {
  let last = 0
  let length = 0
  for (const cue of cues) {
    promise(cue.span.start >= last && cue.span.end > cue.span.start, 'spans are valid and in order')
    promise(Number.isFinite(cue.span.end), 'times are numbers')
    promise(cue.text.trim() !== '' && cue.speaker !== '', 'a cue says something')
    last = cue.span.start
    length += cue.text.length + (cue.speaker?.length ?? 0)
  }
  promise(length <= 2 * text.length + 100, `no more is said than was written: ${length} of ${text.length}`)
}

const subRip =
  '1\n00:00:01,000 --> 00:00:02,500\nHello <i>there</i>.\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}Two\\Nlines &amp; more\n'
const texts = [
  subRip,
  'WEBVTT\n\nNOTE made here\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann>Hi <c.yellow>you</c></v>\n<v Bob>Hi &#x41;&#65;&lt;\n\n01:00:00.000 --> 01:00:01.5\n<00:01.000>timed <b>words\n',
  '\ufeff1\r\n0:0:1,0 --> 0:0:2,00\r\nשלום עולם\r\n\r\n2\r\n00:00:02.000-->00:00:03.000\r\n誰ですか\r\n',
  '<tt xmlns="http://www.w3.org/ns/ttml" ttp:frameRate="25"><body><div><p begin="00:00:01.000" end="62.5s">One<br/>two</p><p begin="50f" dur="1500ms">&lt;x&gt;</p></div></body></tt>',
]
const encoded = [
  Buffer.from(`\ufeff${subRip}`, 'utf16le'),
  Buffer.from(`\ufeff${subRip}`, 'utf16le').swap16(),
  Buffer.from(subRip.replace('Hello', 'Caf\u00e9 \u0093'), 'latin1'),
]
