const maxDepth = 200 // brackets within each other; nothing that is meant goes half as deep

// JSON.parse for what models and servers write. What is nested more deeply is a SyntaxError as well: it could be parsed, but whatever
// walks through it afterwards would run out of stack.
export function shallowJson(text: string): unknown {
  if (depthOf(text) > maxDepth) throw new SyntaxError(`JSON is nested more than ${maxDepth} deep.`)
  return JSON.parse(text)
}

function depthOf(text: string): number {
  const sign = /["[\]{}]/g
  let depth = 0
  for (let found = sign.exec(text); found && depth <= maxDepth; found = sign.exec(text)) {
    if (found[0] === '"') sign.lastIndex = endOfString(text, found.index + 1)
    else depth += found[0] === '[' || found[0] === '{' ? 1 : -1
  }
  return depth
}

// After the quote that ends it: one with an even number of backslashes before it.
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > start && text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at + 1
  }
  return text.length
}
