// Text from a video, a file name or a model may hold terminal commands, or marks that turn the writing direction round.
// Each becomes a visible sign of itself: nothing is obeyed, nothing is hidden. Line breaks and tabs stay.
export function visibleText(text: string): string {
  return ascii.test(text) ? text : text.replace(unsafe, visible)
}

const ascii = /^[\n\t\x20-\x7e]*$/
// Controls, marks of direction, and what no screen shows: tag letters, fillers, joiners and selectors that belong to no letter or emoji.
// A joiner or selector is judged by the sign before it only, so that text in pieces gives the same as the whole.
const withoutJoiners = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}` // in them a joiner could only hide something
const ownJoiner = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<![${withoutJoiners}]|(?<!\p{Extended_Pictographic})[\ufe00-\ufe0f])[\u200c\u200d]`
const ownSelector = String.raw`(?<=[\p{S}\p{Extended_Pictographic}#*0-9\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])(?<![<>+|~^$=\x60])[\ufe00-\ufe0f\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]`
const hidden = String.raw`(?!${ownJoiner}|${ownSelector})[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2028\u2029]`
// As the source of an expression with the flag "u", for what runs in a browser.
export const unseenSigns = String.raw`(?![\n\t])\p{Cc}|${hidden}`
const unsafe = new RegExp(unseenSigns, 'gu')
const unsafeInJson = new RegExp(String.raw`[\u007f-\u009f]|${hidden}`, 'gu')

// The same, on one line.
export function visibleLine(text: string): string {
  const [first = '', ...others] = text.split(/[\r\n\u2028\u2029]+/)
  if (others.length === 0) return visibleText(text)
  const last = others.pop() ?? ''
  return visibleText([first.trimEnd(), ...others.map(line => line.trim()), last.trimStart()].join(' '))
}

// A file name on one line, with its own line breaks shown: a name cannot add lines that look like ours.
export function visibleFileName(text: string): string {
  return visibleText(text.replaceAll('\n', '\u240A').replaceAll('\t', '\u2409'))
}

// JSON that reads back the same and holds nothing that a terminal obeys.
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return ascii.test(text) ? text : text.replace(unsafeInJson, escaped)
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : escaped(character)
}

function escaped(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
