// Shows the sentences of a draft while its JSON comes in: what stands in "text" (or "answer") and nothing of the rest. A reply
// that is prose is shown as it is.
export function draftTokens(show: (text: string) => void): (piece: string) => void {
  let form: 'unknown' | 'json' | 'prose' = 'unknown'
  let buffer = ''
  const json = jsonTexts(show)
  return piece => {
    if (form === 'prose') return show(piece)
    if (form === 'json') return json(piece)
    buffer += piece
    const start = buffer.trimStart()
    if (start === '' || /^`{1,3}(?:j(?:s(?:on?)?)?)?$/.test(start)) return
    form = /^(?:```|\{|\[)/.test(start) ? 'json' : 'prose'
    if (form === 'json') json(start)
    else show(start)
  }
}

const shownKeys = ['text', 'answer']
const escapes: Record<string, string> = { n: ' ', t: ' ', r: '', b: '', f: '', '"': '"', '\\': '\\', '/': '/' }

// Reads JSON letter by letter: a string after a colon is a value, and its key says whether it is shown.
function jsonTexts(show: (text: string) => void): (piece: string) => void {
  let inString = false
  let isValue = false
  let key = ''
  let escaped = ''
  let last = '' // letter of the sentence before, but for quotes and brackets
  return piece => {
    let out = ''
    const say = (letter: string) => {
      if (isValue && shownKeys.includes(key)) {
        out += letter
        if (!/[\s"'”’)\]]/.test(letter)) last = letter
      } else if (!isValue) key += letter
    }
    for (const letter of piece) {
      if (!inString) {
        if (letter === ':') isValue = true
        else if (/[,{[\]}]/.test(letter)) isValue = false
        else if (letter === '"') {
          inString = true
          if (!isValue) key = ''
          else if (shownKeys.includes(key)) {
            if (last !== '') out += /[\p{L}\p{N}]/u.test(last) ? '. ' : ' '
            last = ''
          }
        }
      } else if (escaped !== '') {
        escaped += letter
        if (escaped[1] !== 'u') say(escapes[escaped.slice(1)] ?? '')
        else if (escaped.length < 6) continue
        else say(String.fromCharCode(Number.parseInt(escaped.slice(2), 16)))
        escaped = ''
      } else if (letter === '\\') escaped = letter
      else if (letter === '"') inString = false
      else say(letter)
    }
    if (out !== '') show(out)
  }
}
