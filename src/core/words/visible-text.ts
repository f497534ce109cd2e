// Text from a video, a file name or a model may hold terminal commands, or marks that turn the writing direction round.
// Each becomes a visible sign of itself: nothing is obeyed, nothing is hidden. Line breaks and tabs stay.
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/gu, visible)
}

// The same, on one line.
export function oneLine(text: string): string {
  return plain(text.replace(/(?<![ \t])[ \t]*(\r\n|[\r\n\u2028\u2029])[ \t]*/g, ' '))
}

// A file name on one line, with its own line breaks shown: a name cannot add lines that look like ours.
export function fileName(text: string): string {
  return plain(text.replaceAll('\n', '\u240A').replaceAll('\t', '\u2409'))
}

// JSON that reads back the same and holds nothing that a terminal obeys.
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replace(/[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/g, escaped)
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : escaped(character)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
