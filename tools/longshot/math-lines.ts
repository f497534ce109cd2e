// The parts of a text that are mathematics rather than words: "E = mc^2", "3x + 5 > 20", "f(x) = sin(x)".
export function mathLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap(line => line.split(/\s{3,}|;\s/))
    .map(line => withoutWords(line.trim()))
    .filter(isMathematics)
}

const relation = /[=≈≠≤≥<>≡→∝]/
const operator = /[-+*/^×÷·±√∑∫∂∏%!²³]|\b(?:sqrt|sin|cos|tan|log|ln|exp|lim|mod)\b/
const operand = /\d|\b[a-zA-Zα-ωΑ-Ω]\b|\b[a-zA-Z]\d\b/

// A time, a date, a price or a web address has digits and signs and is not a formula.
const other = /^\d{1,2}:\d{2}(?::\d{2})?$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|https?:|www\.|@|^[\d\s.,-]+$/

function isMathematics(line: string): boolean {
  if (line.length < 3 || other.test(line)) return false
  const words =
    line.match(/[a-zA-Z]{4,}/g)?.filter(word => !/^(?:sqrt|sinh|cosh|tanh|asin|acos|atan)$/.test(word)) ?? []
  if (words.length > 1) return false
  const operands = line.match(new RegExp(operand, 'g'))?.length ?? 0
  return (
    operands >= 1 &&
    (relation.test(line) ? /\w/.test(line.split(relation)[1] ?? '') : operator.test(line) && operands >= 2)
  )
}

// "Area: A = pi r^2" is about the part after the colon.
function withoutWords(line: string): string {
  return line.replace(/^[A-Za-z][A-Za-z ]{2,40}:\s+(?=\S*.*[=+*/^<>-])/, '')
}
